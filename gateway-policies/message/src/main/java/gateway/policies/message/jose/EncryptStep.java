package gateway.policies.message.jose;

import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyOrigin;
import gateway.policy.Dependency;
import java.util.List;
import java.util.Optional;

/// Encrypts for somebody. What is not there is not encrypted.
///
/// @param keys where that one's key comes from
record EncryptStep(
        JosePart part, JoseForm form, RecipientOrigin keys, KeyManagement algorithm, ContentEncryption encryption)
        implements JoseStep {
    /// A key for GCM is good for 2^32 messages only.
    private static final String NO_COUNTER_WITH_DIR = """
            {"if": {"required": ["algorithm"], "properties": {"algorithm": {"const": "dir"}}},
             "then": {"required": ["encryption"], "properties": {"encryption": {"enum":
              ["A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512"]}}}}""";

    static EncryptStep read(ConfigNode node, boolean answers) {
        node.requireObject();
        JosePart part = JosePart.read(node.field("part", "of the message that is encrypted"), answers);
        JoseForm form = readForm(node);
        KeyManagement algorithm = KeyManagement.readClosing(
                        node.field("algorithm", "by which the key of the content goes to the recipient"))
                .orElse(KeyManagement.RSA_OAEP_256);
        ConfigNode field = node.field("encryption", "of the content").unlessGiven("`A256GCM`");
        field.only(ContentEncryption.words());
        Optional<ContentEncryption> chosen = field.isPresent() ? ContentEncryption.read(field) : Optional.empty();
        ContentEncryption encryption = chosen.orElse(ContentEncryption.A256GCM);
        node.obeys(NO_COUNTER_WITH_DIR);
        if (algorithm == KeyManagement.DIR && encryption.isCounter()) {
            field.problem("expected A128CBC-HS256, A192CBC-HS384 or A256CBC-HS512 with dir,"
                    + " since a key for GCM is good for 2^32 messages only");
        }
        var step = new EncryptStep(part, form, RecipientOrigin.read(node, algorithm), algorithm, encryption);
        node.refuseUnknownFields();
        return step;
    }

    /// One of those that encrypted messages have.
    static JoseForm readForm(ConfigNode node) {
        ConfigNode field = node.field("form", "how it is written")
                .only(List.of(ConfigNode.word(JoseForm.COMPACT), ConfigNode.word(JoseForm.JSON)));
        JoseForm form = field.choice(JoseForm.COMPACT);
        if (form == JoseForm.DETACHED) field.problem("expected \"compact\" or \"json\", got \"detached\"");
        return form;
    }

    @Override
    public Optional<Dependency.Server> server() {
        return keys instanceof RecipientOrigin.Told(KeyOrigin.Server server)
                ? Optional.of(new Dependency.Server(server.name()))
                : Optional.empty();
    }

    @Override
    public String name() {
        return "encrypt";
    }

    @Override
    public JoseAction compile(JosePlace place) {
        return new EncryptionForRecipient(this, new RecipientKeys(this, place).source(), place);
    }
}
