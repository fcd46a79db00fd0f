package gateway.policies.message.jose;

import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyOrigin;
import gateway.policies.cryptography.KeyOriginReader;
import gateway.policies.cryptography.SigningAlgorithm;
import gateway.policy.Dependency;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Lets only pass what one has signed who is known, and goes on with what was signed.
///
/// @param detached of that form
/// @param keys of those who may have signed; empty: the caller's own
/// @param media of the content, where the message does not say
/// @param optional whether what is not signed passes
record VerifyStep(
        JosePart part,
        JoseForm form,
        DetachedForm detached,
        Set<SigningAlgorithm> algorithms,
        Optional<KeyOrigin> keys,
        Optional<ExpectedClaims> claims,
        String media,
        boolean optional)
        implements JoseStep {
    private static final String BY_KEYS = "{\"properties\": {\"by\": {\"enum\": [\"keys\", null]}}}";

    VerifyStep {
        algorithms = Set.copyOf(algorithms);
    }

    static VerifyStep read(ConfigNode node, boolean answers) {
        node.requireObject();
        ConfigNode part = node.field("part", "of the message that is signed");
        JosePart read = JosePart.read(part, answers);
        JoseForm form = node.field("form", "how it is written").choice(JoseForm.COMPACT);
        if (form == JoseForm.DETACHED && !(read instanceof JosePart.Body)) {
            part.problem("expected nothing, since a detached signature is one of the body");
        }
        node.onlyWhere("part", "form", true, "compact", "json");
        DetachedForm detached = DetachedForm.read(node, form);
        Set<SigningAlgorithm> algorithms =
                SigningAlgorithm.readAll(node.field("algorithms", "by which it may be signed"));
        Optional<KeyOrigin> keys = keys(node, algorithms);
        ConfigNode claims = node.field("claims", "what its claims have to say, where it is a set of claims")
                .unlessGiven("nothing");
        Optional<ExpectedClaims> expected =
                claims.isPresent() ? Optional.of(ExpectedClaims.read(claims)) : Optional.empty();
        var step = new VerifyStep(
                read, form, detached, algorithms, keys, expected, OpenedMedia.read(node), OpenedMedia.optional(node));
        node.refuseUnknownFields();
        return step;
    }

    private static Optional<KeyOrigin> keys(ConfigNode node, Set<SigningAlgorithm> algorithms) {
        SignedBy by = node.field("by", "`caller`: by a public key of the API key that stands for the caller")
                .choice(SignedBy.KEYS);
        for (String each :
                List.of("jwks", "keys", "pem", "secret", "allowPlaintext", "refresh", "stale", "refetch", "tls"))
            node.onlyWhere(each, "by", true, "keys");
        if (by == SignedBy.KEYS) return Optional.of(KeyOriginReader.read(node, algorithms, BY_KEYS));
        if (algorithms.stream().anyMatch(SigningAlgorithm::isShared)) {
            node.field("algorithms").problem("expected no HS algorithms, since callers sign by public keys");
        }
        return Optional.empty();
    }

    /// Whose keys sign.
    private enum SignedBy {
        KEYS,
        CALLER
    }

    @Override
    public boolean inBody() {
        return form == JoseForm.DETACHED || part.inBody();
    }

    @Override
    public boolean changesBody() {
        return form != JoseForm.DETACHED && part.inBody();
    }

    @Override
    public Optional<Dependency.Server> server() {
        return keys.filter(KeyOrigin.Server.class::isInstance)
                .map(KeyOrigin.Server.class::cast)
                .map(server -> new Dependency.Server(server.name()));
    }

    @Override
    public String name() {
        return "verify";
    }

    @Override
    public JoseAction compile(JosePlace place) {
        return new SignatureVerification(this, KnownSigners.compile(this, place), place);
    }
}
