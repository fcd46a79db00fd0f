package gateway.policies.identity;

import gateway.config.ResourceReader;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import gateway.policies.cryptography.MessageAlgorithm;
import gateway.policies.cryptography.SignatureProfile;
import gateway.policies.identity.MessageSigner.SecretEncoding;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Reads who may sign.
final class MessageSignerReader {
    private static final int MOST_SIGNERS = 1_000;
    private static final int MOST_ENTRIES = 64; // tags, or metadata, of one
    private static final int LONGEST_ID = 256;
    private static final int LONGEST_NAME = 128;

    private static final Pattern PLAIN = Pattern.compile("[ !#-\\[\\]-~]+");
    private static final String SECRET_OR_PEM = """
            {"if": {"required": ["algorithm"], "properties": {"algorithm": {"enum": [SHARED]}}},
             "then": SECRET, "else": PEM}""".replace("SHARED", words(MessageAlgorithm::isShared))
            .replace("SECRET", JsonSchema.given("secret"))
            .replace("PEM", JsonSchema.given("pem"));

    private MessageSignerReader() {}

    /// Those for which `condition` holds, as JSON without brackets.
    static String words(Predicate<MessageAlgorithm> condition) {
        return MessageAlgorithm.words().stream()
                .filter(each -> condition.test(MessageAlgorithm.of(each).orElseThrow()))
                .map(each -> '"' + each + '"')
                .collect(Collectors.joining(", "));
    }

    static List<MessageSigner> readAll(ConfigNode field, SignatureProfile profile, boolean needed) {
        List<MessageSigner> signers = field.list(each -> read(each, profile));
        boolean isList = field.json().filter(json -> json.isArray()).isPresent();
        if (!needed && field.isPresent()) field.problem("expected nothing, since they are those of consumers");
        boolean missing = !field.isPresent() || (isList && (signers.isEmpty() || signers.size() > MOST_SIGNERS));
        field.extent(1, MOST_SIGNERS);
        if (needed && missing) {
            field.problem("expected 1 to " + MOST_SIGNERS + " keys, got " + signers.size());
        }
        Set<String> ids = new HashSet<>();
        for (MessageSigner each : signers) {
            if (!ids.add(each.id())) field.problem("expected each id once, got two of \"" + each.id() + '"');
        }
        return signers;
    }

    private static MessageSigner read(ConfigNode node, SignatureProfile profile) {
        node.requireObject();
        var id = node.field("id", "what messages name the key by: `keyid`, `keyId`");
        var name = node.field("name", "of the caller").unlessGiven("`id`");
        var key = node.field("key", "id of an API key: what it opens, when it expires, its limits")
                .unlessGiven("the caller has none");
        Optional<MessageAlgorithm> algorithm =
                algorithm(node.field("algorithm", "by which it signs, whatever messages say"), profile);
        var pem = node.field("pem", "its public key or certificate").form("PEM text or resource");
        var secret = node.field("secret", "for HMAC: what both have");
        var encoding = node.field("encoding", "of the secret: it is the text itself, or what the text is Base64 of");
        node.one("pem", "secret").beside("secret", "encoding").obeys(SECRET_OR_PEM);
        if (pem.isPresent() == secret.isPresent())
            node.problem("expected one of pem and secret, got " + (pem.isPresent() ? "both" : "neither"));
        algorithm
                .filter(each -> each.isShared() != secret.isPresent())
                .ifPresent(each -> node.field("algorithm")
                        .problem("expected " + (each.isShared() ? "secret" : "pem") + " with " + each.word()));
        pem.alternative("text", ConfigNode::requiredText);
        pem.alternative("resource", ResourceReader::read);
        Optional<ResourceReference> stored =
                ResourceReader.isReference(pem) ? Optional.of(ResourceReader.read(pem)) : Optional.empty();
        if (pem.isPresent() && stored.isEmpty()) requireFitting(pem, algorithm);
        if (encoding.isPresent() && !secret.isPresent()) encoding.problem("expected nothing without secret");
        Optional<SecretReference> reference =
                secret.isPresent() ? Optional.of(SecretReader.read(secret)) : Optional.empty();
        var signer = new MessageSigner(
                bounded(id, id.requiredText(), LONGEST_ID),
                algorithm.orElse(MessageAlgorithm.ED25519),
                stored.isPresent() ? "" : pem.text(),
                stored,
                reference,
                encoding.choice(SecretEncoding.TEXT),
                name.isPresent() ? Optional.of(bounded(name, name.requiredText(), LONGEST_NAME)) : Optional.empty(),
                tags(node.field("tags", "of the caller, for `when`, `authorize` and the traffic log")),
                metadata(node),
                key.isPresent() ? Optional.of(bounded(key, key.requiredText(), LONGEST_NAME)) : Optional.empty());
        node.refuseUnknownFields();
        return signer;
    }

    private static Map<String, String> metadata(ConfigNode node) {
        var field = node.field("metadata", "of the caller, for `{key.metadata.…}` in `headers`");
        var metadata = field.map(ConfigNode::text);
        field.extent(0, MOST_ENTRIES);
        if (metadata.size() > MOST_ENTRIES)
            field.problem("expected at most " + MOST_ENTRIES + ", got " + metadata.size());
        return metadata;
    }

    private static List<String> tags(ConfigNode field) {
        List<String> tags = field.list(ConfigNode::requiredText);
        field.extent(0, MOST_ENTRIES);
        if (tags.size() > MOST_ENTRIES) field.problem("expected at most " + MOST_ENTRIES + ", got " + tags.size());
        return tags;
    }

    private static String bounded(ConfigNode field, String text, int longest) {
        boolean plain = text.isEmpty() || PLAIN.matcher(text).matches();
        field.like(PLAIN).extent(1, longest);
        if (text.length() > longest || !plain) {
            field.expected("1 to " + longest + " characters of ASCII without quotes and backslashes");
        }
        return text;
    }

    private static Optional<MessageAlgorithm> algorithm(ConfigNode field, SignatureProfile profile) {
        String word = field.only(MessageAlgorithm.words()).requiredText();
        Optional<MessageAlgorithm> found = MessageAlgorithm.of(word).filter(each -> each.isOf(profile));
        if (found.isEmpty() && !word.isEmpty()) {
            String expected = MessageAlgorithm.words().stream()
                    .filter(each -> MessageAlgorithm.of(each).orElseThrow().isOf(profile))
                    .collect(Collectors.joining(", "));
            field.problem("expected one of " + expected + ", got \"" + word + '"');
        }
        return found;
    }

    private static void requireFitting(ConfigNode field, Optional<MessageAlgorithm> algorithm) {
        String text = field.requiredText();
        if (text.isEmpty() || algorithm.isEmpty() || algorithm.get().isShared()) return;
        if (algorithm.get().publicKey(text).isEmpty()) field.problem(MessageSigner.expected(algorithm.get()));
    }
}
