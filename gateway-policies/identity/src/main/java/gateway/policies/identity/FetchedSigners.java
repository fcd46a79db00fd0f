package gateway.policies.identity;

import gateway.http.FailureReason;
import gateway.policies.cryptography.Fetched;
import gateway.policies.cryptography.KeyOrigin;
import gateway.policies.cryptography.KeyUrls;
import gateway.policy.Services;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.Served;
import gateway.service.ServerCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Those that an issuer's metadata names, fetched again and again, and for assertions that none of them has signed.
final class FetchedSigners implements SamlSigners, Served {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 1 << 20;

    /// Of equal ones they are shared by all policies.
    ///
    /// @param signedBy whose keys sign the metadata; empty: that is not asked
    record Id(KeyOrigin.Server origin, String issuer, List<SamlSigner> signedBy) {
        Id {
            signedBy = List.copyOf(signedBy);
        }
    }

    private final Fetched<List<SamlSigner>> fetched;

    private FetchedSigners(Fetched<List<SamlSigner>> fetched) {
        this.fetched = fetched;
    }

    static FetchedSigners of(Id id, Services services) {
        ServerCalls calls = services.calls().to(id.origin().target(), "/trust", "metadataUrl");
        return services.shared(
                id,
                FetchedSigners.class,
                () -> new FetchedSigners(Fetched.create(
                        id.origin(),
                        "metadata",
                        TIMEOUT,
                        () -> fetch(id, calls, services.clock().instant()),
                        services.refresher(),
                        services.clock())));
    }

    private static List<SamlSigner> fetch(Id id, ServerCalls calls, Instant now) {
        var request = CallRequest.get(KeyUrls.pathOf(id.origin().url()))
                .with("Accept", "application/samlmetadata+xml, application/xml, text/xml");
        CallAnswer answer = calls.send(request, new CallBounds(TIMEOUT, MOST_BYTES), null);
        if (answer.status() != 200) throw unusable(id, "answered " + answer.status() + " in place of its metadata");
        return SamlMetadata.fetched(answer.bytes(), id.issuer(), id.signedBy(), now)
                .filter(found -> found.size() <= SamlTrust.MOST_SIGNERS)
                .orElseThrow(() -> unusable(id, "its metadata cannot be used"));
    }

    private static DependencyException unusable(Id id, String why) {
        return new DependencyException(id.origin().name(), FailureReason.MALFORMED.word(), why, null);
    }

    @Override
    public List<SamlSigner> current() {
        return fetched.current();
    }

    @Override
    public Optional<List<SamlSigner>> newer(List<SamlSigner> seen) {
        return fetched.newer(seen);
    }

    @Override
    public void served() {
        fetched.served();
    }

    @Override
    public void retired() {
        fetched.retired();
    }
}
