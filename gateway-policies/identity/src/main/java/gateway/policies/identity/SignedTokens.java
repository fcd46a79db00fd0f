package gateway.policies.identity;

import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.KeySet;
import gateway.policies.cryptography.KeySource;
import gateway.policies.cryptography.KeySources;
import gateway.policies.cryptography.LocalKeys;
import gateway.policies.cryptography.TokenFlaw;
import gateway.policies.cryptography.VerificationKey;
import gateway.policy.PolicyPlace;
import gateway.policy.Services;
import gateway.service.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Finds out who has signed a token: read strictly, of an issuer that is known by `iss`, and signed by one of its keys.
final class SignedTokens {
    /// An issuer and where its keys come from.
    private record Known(TokenIssuer issuer, KeySource keys) {}

    private final String api;
    private final Workers workers;
    private final Map<String, KeySource> sources = new HashMap<>(); // by the names of issuers
    private final Map<String, Known> byIssuer = new HashMap<>(); // by what `iss` says
    private final Optional<Known> any;
    private final List<KeySet> local = new ArrayList<>();

    private SignedTokens(List<Known> issuers, String api, Workers workers) {
        this.api = api;
        this.workers = workers;
        for (Known each : issuers) {
            sources.put(each.issuer().name(), each.keys());
            each.issuer().issuer().ifPresent(issuer -> byIssuer.put(issuer, each));
            if (each.keys() instanceof LocalKeys keys) local.add(keys.current());
        }
        this.any = issuers.stream()
                .filter(each -> each.issuer().issuer().isEmpty())
                .findFirst();
    }

    /// @param issuers where one says nothing of `iss`, it is the only one
    /// @param field that they stand in, such as `/issuers`
    /// @param timeout of a fetch of keys
    /// @throws gateway.json.InvalidConfigException when a server may not be called, or a secret is none
    static SignedTokens compile(
            List<TokenIssuer> issuers, String field, Duration timeout, PolicyPlace place, Services services) {
        var sources = new KeySources(services, timeout);
        var known = new ArrayList<Known>();
        for (int i = 0; i < issuers.size(); i++) {
            known.add(new Known(
                    issuers.get(i),
                    sources.of(issuers.get(i).origin(), issuers.get(i).algorithms(), field + '/' + i)));
        }
        return new SignedTokens(known, place.api(), services.workers());
    }

    /// The keys that the definition holds or refers to.
    List<KeySet> local() {
        return List.copyOf(local);
    }

    /// Whether a key is one of the issuer's still.
    ///
    /// @param issuer name of it
    /// @throws gateway.service.DependencyException when the issuer's keys are too old to tell
    boolean knows(String issuer, VerificationKey signer) {
        KeySource source = sources.get(issuer);
        return source != null && source.current().contains(signer);
    }

    /// @throws gateway.service.DependencyException when that cannot be found out
    /// @throws gateway.service.WorkersBusyException when too many signatures wait to be verified
    Checked<SignedToken> verify(String text) {
        Optional<CompactToken> parsed = CompactToken.parse(text);
        if (parsed.isEmpty()) return new Checked.Bad<>(TokenFlaw.MALFORMED);
        CompactToken token = parsed.get();
        Optional<Known> known = issuerOf(token);
        if (known.isEmpty()) return new Checked.Bad<>(TokenFlaw.ISSUER);
        TokenIssuer issuer = known.get().issuer();
        if (!issuer.algorithms().contains(token.algorithm())) return new Checked.Bad<>(TokenFlaw.ALGORITHM);
        if (!issuer.takesType(token.type())) return new Checked.Bad<>(TokenFlaw.TYPE);
        KeySource source = known.get().keys();
        KeySet keys = source.current();
        Optional<VerificationKey> signer = signer(keys, token);
        if (signer.isEmpty() && !keys.isNamed(token)) {
            Optional<KeySet> newer = source.newer(keys);
            if (newer.isEmpty()) return new Checked.Bad<>(TokenFlaw.UNKNOWN_KEY);
            signer = signer(newer.get(), token);
        }
        return signer.isEmpty()
                ? new Checked.Bad<>(TokenFlaw.SIGNATURE)
                : new Checked.Good<>(new SignedToken(token, issuer, signer.get()));
    }

    private Optional<Known> issuerOf(CompactToken token) {
        if (any.isPresent()) return any;
        JsonNode issuer = token.claims().path("iss");
        return issuer.isString() ? Optional.ofNullable(byIssuer.get(issuer.stringValue())) : Optional.empty();
    }

    /// What takes long is done where it holds up no other request.
    private Optional<VerificationKey> signer(KeySet keys, CompactToken token) {
        if (!keys.hasCandidate(token)) return Optional.empty();
        return Cryptography.ofProcess().isSlow(token.algorithm().kind())
                ? workers.callBriefly(api, () -> keys.signer(token))
                : keys.signer(token);
    }
}
