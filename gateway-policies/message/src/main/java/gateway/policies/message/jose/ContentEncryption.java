package gateway.policies.message.jose;

import com.nimbusds.jose.EncryptionMethod;
import gateway.json.ConfigNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What the content of a message is encrypted by (RFC 7518 §5.1).
enum ContentEncryption {
    A256GCM("A256GCM", 32, 12, 16),
    A192GCM("A192GCM", 24, 12, 16),
    A128GCM("A128GCM", 16, 12, 16),
    A256CBC_HS512("A256CBC-HS512", 64, 16, 32),
    A192CBC_HS384("A192CBC-HS384", 48, 16, 24),
    A128CBC_HS256("A128CBC-HS256", 32, 16, 16);

    private final String word;
    private final int keyBytes;
    private final int nonceBytes;
    private final int tagBytes;

    ContentEncryption(String word, int keyBytes, int nonceBytes, int tagBytes) {
        this.word = word;
        this.keyBytes = keyBytes;
        this.nonceBytes = nonceBytes;
        this.tagBytes = tagBytes;
    }

    static List<String> words() {
        return Arrays.stream(values()).map(ContentEncryption::word).toList();
    }

    /// The one of a message's `enc`, letter by letter.
    static Optional<ContentEncryption> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    /// Empty where a problem is noted.
    static Optional<ContentEncryption> read(ConfigNode node) {
        String word = node.only(words()).requiredText();
        Optional<ContentEncryption> found = of(word);
        if (found.isEmpty() && !word.isEmpty()) {
            node.problem("expected one of " + String.join(", ", words()) + ", got \"" + word + '"');
        }
        return found;
    }

    /// As a message's `enc` writes it.
    String word() {
        return word;
    }

    int keyBytes() {
        return keyBytes;
    }

    /// Whether a nonce is drawn for each message, of which two alike under one key would give the key away.
    boolean isCounter() {
        return nonceBytes == 12;
    }

    /// Whether nonce and tag have the only lengths there are: a shorter tag would be guessed.
    boolean isShapeOf(int nonce, int tag) {
        return nonce == nonceBytes && tag == tagBytes;
    }

    EncryptionMethod method() {
        return EncryptionMethod.parse(word);
    }
}
