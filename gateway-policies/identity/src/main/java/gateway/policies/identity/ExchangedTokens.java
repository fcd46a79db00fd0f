package gateway.policies.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.http.Secret;
import gateway.policy.Services;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Tokens of the upstream's that callers' own were exchanged for (RFC 8693), by the digest of the very token that was
/// shown: nobody's is ever another's. Each is fetched, renewed and given up as any token ([TokenSlot]).
final class ExchangedTokens {
    private static final long MOST_BYTES = 32 << 20;
    private static final int OVERHEAD = 1_024; // of a slot, whatever it holds
    private static final Duration UNUSED = Duration.ofMinutes(10);

    private final TokenTerms terms;
    private final ServerCalls server;
    private final ClientProof client;
    private final Services services;
    private final Cache<TokenDigest, Exchanged> tokens;

    /// @param subject characters of the caller's token, which is held to renew its other
    private record Exchanged(TokenSlot slot, int subject) {
        int bytes() {
            return OVERHEAD + subject + slot.heldLength();
        }
    }

    private ExchangedTokens(TokenTerms terms, ServerCalls server, ClientProof client, Services services) {
        this.terms = terms;
        this.server = server;
        this.client = client;
        this.services = services;
        this.tokens = Caffeine.newBuilder()
                .maximumWeight(MOST_BYTES)
                .weigher((TokenDigest _, Exchanged each) -> each.bytes())
                .expireAfterAccess(UNUSED)
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(services.clock().millis()))
                .build();
    }

    /// The same for all policies with equal terms and secrets, also over reloads.
    private record Id(TokenTerms terms, ClientProof client) {}

    static ExchangedTokens of(TokenTerms terms, Services services) {
        ClientProof client = terms.client().ready(terms.url(), "/oauth2/client", services);
        ServerCalls server = services.calls().to(terms.target(), "/oauth2", "tokenUrl");
        return services.shared(
                new Id(terms, client),
                ExchangedTokens.class,
                () -> new ExchangedTokens(terms, server, client, services));
    }

    /// What `subject` is exchanged for.
    ///
    /// @throws DependencyException when it cannot be had in time
    /// @throws SubjectRefusedException when the server gives none for it
    AccessToken take(String subject) {
        TokenDigest digest = TokenDigest.of(subject);
        Exchanged known = tokens.getIfPresent(digest);
        if (known != null) return known.slot.take();
        Exchanged fresh = tokens.get(digest, _ -> new Exchanged(slot(subject), subject.length()));
        AccessToken token = fresh.slot.take();
        tokens.put(digest, fresh); // weighed anew, with what it holds now
        return token;
    }

    private TokenSlot slot(String subject) {
        var endpoint = new TokenEndpoint(terms.target().name(), terms.path(), server, client, terms.timeout());
        var secrets = Map.of("subject_token", new Secret(subject));
        return new TokenSlot(terms, endpoint, secrets, services.clock(), services.refresher());
    }

    @Override
    public String toString() {
        return "exchanged tokens of " + terms.target().name();
    }
}
