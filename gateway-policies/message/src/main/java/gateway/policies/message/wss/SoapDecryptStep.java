package gateway.policies.message.wss;

import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.KeyKind;
import gateway.policy.Services;
import gateway.service.SecretReference;
import java.util.List;
import java.util.Set;

/// Opens what was encrypted for a key of ours.
///
/// @param parts whose content has to be encrypted
record SoapDecryptStep(SecretReference key, Set<MessagePart> parts) implements SecurityStep {
    SoapDecryptStep {
        parts = Set.copyOf(parts);
    }

    static SoapDecryptStep read(ConfigNode node) {
        node.requireObject();
        var step = new SoapDecryptStep(
                SecretReader.read(node.field("key", "of ours: PEM of a private key (PKCS #8) and its certificate")),
                MessagePart.read(node.field("parts", "whose content has to be encrypted"), List.of("body")));
        node.refuseUnknownFields();
        return step;
    }

    @Override
    public String name() {
        return "decrypt";
    }

    @Override
    public SecurityAction compile(SecurityPlace place) {
        return new SoapDecryption(this, place.read("key", this::open), place);
    }

    private SoapKey open(Services services) {
        SoapKey opened = SoapKey.read(services.secret(key).reveal());
        if (opened.kind() != KeyKind.RSA) throw new InvalidConfigException("", "expected a key for RSA");
        return opened;
    }
}
