package gateway.policies.message.wss;

import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.ContentCipher;
import gateway.policy.Services;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Set;

/// Encrypts the content of parts of a message for somebody.
///
/// @param recipient the certificate of the one who can open it
record SoapEncryptStep(
        SoapCertificates recipient,
        Set<MessagePart> parts,
        ContentCipher algorithm,
        TransportMethod.Word keyTransport,
        KeyIdentifier keyIdentifier)
        implements SecurityStep {
    SoapEncryptStep {
        parts = Set.copyOf(parts);
    }

    static SoapEncryptStep read(ConfigNode node) {
        node.requireObject();
        var step = new SoapEncryptStep(
                SoapCertificates.read(node.field("certificate", "of the one who can open it")),
                MessagePart.read(node.field("parts", "whose content is encrypted"), List.of("body")),
                node.field("algorithm", "of the content").choice(ContentCipher.AES256_GCM),
                node.field("keyTransport", "by which its key goes to the recipient")
                        .choice(TransportMethod.Word.RSA_OAEP_SHA256),
                node.field("keyIdentifier", "how the certificate is told: itself, or by what names it")
                        .choice(KeyIdentifier.ISSUER_SERIAL));
        node.refuseUnknownFields();
        return step;
    }

    @Override
    public String name() {
        return "encrypt";
    }

    @Override
    public boolean onlyAdds() {
        return true;
    }

    @Override
    public SecurityAction compile(SecurityPlace place) {
        return new SoapEncryption(this, place.read("certificate", this::open), place);
    }

    private X509Certificate open(Services services) {
        X509Certificate found = recipient.all(services).getFirst();
        if (!(found.getPublicKey() instanceof RSAPublicKey)) {
            throw new InvalidConfigException("", "expected a certificate for RSA");
        }
        keyIdentifier.requireIn(found);
        return found;
    }
}
