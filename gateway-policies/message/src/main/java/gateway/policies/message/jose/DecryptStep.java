package gateway.policies.message.jose;

import com.nimbusds.jose.jwk.KeyUse;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.service.SecretReference;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Opens what was encrypted for us.
///
/// @param keys of which one opens it: a JWK, a set of them, a private key in PEM, or a secret
/// @param media of the content, where the message does not say
/// @param optional whether what is not encrypted passes
record DecryptStep(
        JosePart part,
        JoseForm form,
        SecretReference keys,
        Set<KeyManagement> algorithms,
        Set<ContentEncryption> encryption,
        String media,
        boolean optional)
        implements JoseStep {
    private static final Set<ContentEncryption> USUAL =
            EnumSet.of(ContentEncryption.A256GCM, ContentEncryption.A128GCM);

    DecryptStep {
        algorithms = Set.copyOf(algorithms);
        encryption = Set.copyOf(encryption);
    }

    static DecryptStep read(ConfigNode node, boolean answers) {
        node.requireObject();
        JosePart part = JosePart.read(node.field("part", "of the message that is encrypted"), answers);
        JoseForm form = EncryptStep.readForm(node);
        SecretReference keys = SecretReader.read(
                node.field("keys", "of ours: a JWK, a set of them, a private key in PEM (PKCS #8) or a secret"));
        ConfigNode list = node.field("algorithms", "by which its key may have come");
        list.extent(1, Integer.MAX_VALUE);
        Set<KeyManagement> algorithms = EnumSet.noneOf(KeyManagement.class);
        for (Optional<KeyManagement> each : list.list(KeyManagement::read)) each.ifPresent(algorithms::add);
        boolean none =
                list.json().filter(json -> json.isArray() && json.isEmpty()).isPresent();
        if (none || !list.isPresent()) list.problem("expected at least one algorithm, got none");
        ConfigNode encrypted =
                node.field("encryption", "by which it may be encrypted").unlessGiven("`A256GCM`, `A128GCM`");
        Set<ContentEncryption> encryption = EnumSet.noneOf(ContentEncryption.class);
        for (Optional<ContentEncryption> each : encrypted.list(ContentEncryption::read))
            each.ifPresent(encryption::add);
        var step = new DecryptStep(
                part,
                form,
                keys,
                algorithms,
                encrypted.isPresent() ? encryption : USUAL,
                OpenedMedia.read(node),
                OpenedMedia.optional(node));
        node.refuseUnknownFields();
        return step;
    }

    @Override
    public String name() {
        return "decrypt";
    }

    @Override
    public JoseAction compile(JosePlace place) {
        List<JoseKey> ours = JoseKeys.ofSecret(place.secret(keys).reveal(), KeyUse.ENCRYPTION);
        Map<KeyManagement, List<OpeningKey>> fitting = new EnumMap<>(KeyManagement.class);
        for (KeyManagement each : algorithms) {
            List<OpeningKey> found = ours.stream()
                    .flatMap(key -> OpeningKey.of(key, each, encryption).stream())
                    .toList();
            if (found.isEmpty()) throw place.invalid("keys", "expected a key for " + each.word());
            fitting.put(each, found);
        }
        return new Decryption(this, fitting, place);
    }
}
