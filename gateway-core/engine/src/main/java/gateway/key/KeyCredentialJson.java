package gateway.key;

import gateway.json.ConfigNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Credentials of keys as JSON, as stores keep them. What people write and are shown instead of `sealed` is the admin
/// API's affair.
final class KeyCredentialJson {
    private static final int MOST = 8;
    private static final int LONGEST = 16_384;
    private static final Pattern MASK = Pattern.compile("[0-9a-f]{8}");

    private KeyCredentialJson() {}

    static List<KeyCredential> readAll(ConfigNode node) {
        List<KeyCredential> read = node.extent(0, MOST).list(KeyCredentialJson::read);
        if (read.size() > MOST) node.problem("expected at most " + MOST);
        return read;
    }

    /// What people write.
    private static void describe(ConfigNode node) {
        node.alternative("hmac", here -> {
            describeAlgorithm(here, true);
            describeSecret(here.field(
                    "secret",
                    "what both have, 8 bytes or more of UTF-8; sealed before it is kept,"
                            + " and shown as `{\"masked\": …}`, which stands for it when it is written back"));
            here.refuseUnknownFields();
        });
        node.alternative("signature", here -> {
            describeAlgorithm(here, false);
            here.field("pem", "public key or certificate").form("PEM text").requiredText();
            here.refuseUnknownFields();
        });
    }

    private static void describeAlgorithm(ConfigNode node, boolean shared) {
        node.field("algorithm", "the one that it is used with")
                .only(KeyCredential.ALGORITHMS.stream()
                        .filter(each -> KeyCredential.isShared(each) == shared)
                        .toList())
                .requiredText();
    }

    private static void describeSecret(ConfigNode secret) {
        if (secret.json().filter(JsonNode::isObject).isPresent()) {
            secret.field("masked", "as the gateway shows the secret: written back, it keeps it")
                    .like(MASK)
                    .requiredText();
            secret.refuseUnknownFields();
        } else secret.requiredText();
    }

    private static KeyCredential read(ConfigNode node) {
        node.named("KeyCredential", KeyCredentialJson::describe);
        node.requireObject();
        var algorithm = node.field("algorithm");
        var pem = node.field("pem");
        var secret = node.field("secret");
        var sealed = node.field("sealed");
        String word = algorithm.requiredText();
        if (!word.isEmpty() && !KeyCredential.ALGORITHMS.contains(word)) {
            algorithm.problem(
                    "expected one of " + String.join(", ", KeyCredential.ALGORITHMS) + ", got \"" + word + '"');
        }
        if (secret.isPresent()) secret.problem("expected it sealed");
        boolean shared = KeyCredential.isShared(word);
        if (!word.isEmpty() && pem.isPresent() == shared) {
            node.problem(shared ? "expected secret with " + word : "expected pem with " + word);
        } else if (shared && !sealed.isPresent() && !secret.isPresent()) {
            node.problem("expected secret with " + word);
        } else if (!shared && (sealed.isPresent() || secret.isPresent())) {
            node.problem("expected no secret with " + word);
        }
        node.refuseUnknownFields();
        return new KeyCredential(word, text(pem), text(sealed));
    }

    private static Optional<String> text(ConfigNode field) {
        if (!field.isPresent()) return Optional.empty();
        String text = field.requiredText();
        field.extent(0, LONGEST);
        if (text.length() > LONGEST) field.problem("expected at most " + LONGEST + " characters");
        return Optional.of(text);
    }

    static void write(List<KeyCredential> credentials, ArrayNode to) {
        for (KeyCredential each : credentials) {
            ObjectNode json = to.addObject().put("algorithm", each.algorithm());
            each.pem().ifPresent(pem -> json.put("pem", pem));
            each.sealed().ifPresent(envelope -> json.put("sealed", envelope));
        }
    }
}
