package gateway.policies.message.wss;

import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.KeyKind;
import gateway.policies.cryptography.PublicKeys;
import gateway.policies.cryptography.XmlSignatureAlgorithm;
import gateway.policy.Services;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Lets only pass what somebody has signed who is known.
///
/// @param parts that have to be signed
/// @param names whether the signer is named as the caller
record SoapVerifyStep(SoapTrust trust, Set<MessagePart> parts, Set<XmlSignatureAlgorithm> algorithms, boolean names)
        implements SecurityStep {
    SoapVerifyStep {
        parts = Set.copyOf(parts);
        algorithms = Set.copyOf(algorithms);
    }

    /// What of a certificate names the caller.
    private enum Named {
        NONE,
        SUBJECT
    }

    static SoapVerifyStep read(ConfigNode node, boolean answers) {
        node.requireObject();
        boolean names = !answers
                && node.field("consumer", "what of the signer's certificate names the caller")
                                .choice(Named.NONE)
                        == Named.SUBJECT;
        var step = new SoapVerifyStep(
                SoapTrust.read(node.field("trust", "whose signatures are taken")),
                MessagePart.read(node.field("parts", "that have to be signed"), List.of("body", "timestamp")),
                algorithms(
                        node.field("algorithms", "by which they may be signed").unlessGiven("all")),
                names);
        node.refuseUnknownFields();
        return step;
    }

    private static Set<XmlSignatureAlgorithm> algorithms(ConfigNode field) {
        if (!field.isPresent()) return EnumSet.allOf(XmlSignatureAlgorithm.class);
        Set<XmlSignatureAlgorithm> found = EnumSet.noneOf(XmlSignatureAlgorithm.class);
        for (Optional<XmlSignatureAlgorithm> each : field.list(SoapVerifyStep::algorithm)) each.ifPresent(found::add);
        field.extent(1, Integer.MAX_VALUE);
        if (found.isEmpty()) field.problem("expected at least one algorithm, got none");
        return found;
    }

    static Optional<XmlSignatureAlgorithm> algorithm(ConfigNode node) {
        String word = node.only(XmlSignatureAlgorithm.words()).requiredText();
        Optional<XmlSignatureAlgorithm> found = XmlSignatureAlgorithm.of(word);
        if (found.isEmpty() && !word.isEmpty()) {
            node.problem(
                    "expected one of " + String.join(", ", XmlSignatureAlgorithm.words()) + ", got \"" + word + '"');
        }
        return found;
    }

    @Override
    public String name() {
        return "verify";
    }

    @Override
    public boolean onlyChecks() {
        return !names;
    }

    @Override
    public SecurityAction compile(SecurityPlace place) {
        return new SoapSignatureCheck(this, place.read("trust", this::signers), place);
    }

    private SoapTrust.Signers signers(Services services) {
        SoapTrust.Signers signers = trust.signers(services);
        boolean none = signers instanceof SoapTrust.Given given
                && given.certificates().stream().noneMatch(this::isOf);
        if (none) throw new InvalidConfigException("", "expected a certificate of a key for one of the algorithms");
        return signers;
    }

    private boolean isOf(X509Certificate certificate) {
        KeyKind kind =
                PublicKeys.of(certificate.getPublicKey(), "", "").orElseThrow().kind();
        return algorithms.stream().anyMatch(each -> each.fits(kind));
    }
}
