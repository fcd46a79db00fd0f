package gateway.policies.message.wss;

import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.XmlSignatureAlgorithm;
import gateway.policy.Services;
import gateway.service.SecretReference;
import java.util.List;
import java.util.Set;

/// Signs parts of a message with a key of ours.
record SoapSignStep(
        SecretReference key, Set<MessagePart> parts, XmlSignatureAlgorithm algorithm, KeyIdentifier keyIdentifier)
        implements SecurityStep {
    SoapSignStep {
        parts = Set.copyOf(parts);
    }

    static SoapSignStep read(ConfigNode node) {
        node.requireObject();
        ConfigNode algorithm = node.field("algorithm", "by which it is signed").unlessGiven("`rsa-sha256`");
        var step = new SoapSignStep(
                SecretReader.read(node.field("key", "of ours: PEM of a private key (PKCS #8) and its certificate")),
                MessagePart.read(node.field("parts", "that are signed"), List.of("body", "timestamp")),
                algorithm.isPresent()
                        ? SoapVerifyStep.algorithm(algorithm).orElse(XmlSignatureAlgorithm.RSA_SHA256)
                        : XmlSignatureAlgorithm.RSA_SHA256,
                node.field("keyIdentifier", "how the certificate is told: itself, or by what names it")
                        .choice(KeyIdentifier.TOKEN));
        node.refuseUnknownFields();
        return step;
    }

    @Override
    public String name() {
        return "sign";
    }

    @Override
    public boolean onlyAdds() {
        return true;
    }

    @Override
    public SecurityAction compile(SecurityPlace place) {
        return new SoapSigning(this, place.read("key", this::open), place);
    }

    private SoapKey open(Services services) {
        SoapKey opened = SoapKey.read(services.secret(key).reveal());
        if (!algorithm.fits(opened.kind())) {
            throw new InvalidConfigException("", "expected a key for " + algorithm.word());
        }
        keyIdentifier.requireIn(opened.certificate());
        return opened;
    }
}
