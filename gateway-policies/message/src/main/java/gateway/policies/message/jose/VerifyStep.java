package gateway.policies.message.jose;

import gateway.json.ConfigNode;
import gateway.policies.identity.KeyOrigin;
import gateway.policies.identity.KeyOriginReader;
import gateway.policies.identity.SigningAlgorithm;
import gateway.policy.Dependency;
import java.util.Optional;
import java.util.Set;

/// Lets only pass what one has signed who is known, and goes on with what was signed.
///
/// @param detached of that form
/// @param media of the content, where the message does not say
/// @param optional whether what is not signed passes
record VerifyStep(
        JosePart part,
        JoseForm form,
        DetachedForm detached,
        Set<SigningAlgorithm> algorithms,
        KeyOrigin keys,
        Optional<ExpectedClaims> claims,
        String media,
        boolean optional)
        implements JoseStep {
    VerifyStep {
        algorithms = Set.copyOf(algorithms);
    }

    static VerifyStep read(ConfigNode node, boolean answers) {
        node.requireObject();
        ConfigNode part = node.field("part", "of the message that is signed");
        JosePart read = JosePart.read(part, answers);
        JoseForm form = node.field("form", "how it is written").choice(JoseForm.COMPACT);
        if (form == JoseForm.DETACHED && !read.equals(JosePart.BODY)) {
            part.problem("expected nothing, since a detached signature is one of the body");
        }
        DetachedForm detached = DetachedForm.read(node, form);
        Set<SigningAlgorithm> algorithms =
                SigningAlgorithm.readAll(node.field("algorithms", "by which it may be signed"));
        KeyOrigin keys = KeyOriginReader.read(node, algorithms);
        ConfigNode claims = node.field("claims", "what its claims have to say, where it is a set of claims")
                .unlessGiven("nothing");
        Optional<ExpectedClaims> expected =
                claims.isPresent() ? Optional.of(ExpectedClaims.read(claims)) : Optional.empty();
        claims.named("JoseClaims", ExpectedClaims::read);
        var step = new VerifyStep(
                read, form, detached, algorithms, keys, expected, OpenedMedia.read(node), OpenedMedia.optional(node));
        node.refuseUnknownFields();
        return step;
    }

    @Override
    public boolean inBody() {
        return form == JoseForm.DETACHED || part.inBody();
    }

    @Override
    public Optional<Dependency.Server> server() {
        return keys instanceof KeyOrigin.Server server
                ? Optional.of(new Dependency.Server(server.name()))
                : Optional.empty();
    }

    @Override
    public String name() {
        return "verify";
    }

    @Override
    public JoseAction compile(JosePlace place) {
        return SignatureVerification.compile(this, place);
    }
}
