package gateway.policies.message.jose;

import gateway.http.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Opens messages with keys of ours.
record Decryption(DecryptStep step, Map<KeyManagement, List<OpeningKey>> keys, JosePlace place) implements JoseAction {
    /// Of the keys that fit a message which names none, so many are tried.
    private static final int MOST_TRIED = 4;

    @Override
    public void apply(JoseMessage message, Exchange exchange) {
        Optional<String> text = message.text(step.part());
        if (step.optional() && (text.isEmpty() || !isEncrypted(text.get()))) return;
        if (text.isEmpty()) throw new BadJoseException("nothing that is encrypted");
        EncryptedMessage encrypted = step.form() == JoseForm.JSON
                ? EncryptedMessage.ofJson(text.get())
                : EncryptedMessage.ofCompact(text.get());
        if (!step.encryption().contains(encrypted.encryption())) throw new BadJoseException("another encryption");
        List<OpeningKey> fitting = keys.getOrDefault(encrypted.management(), List.of());
        byte[] content = place.work(true, text.get().length(), () -> opened(encrypted, fitting));
        message.opened(step.part(), content, encrypted.header().contentType().orElse(step.media()));
    }

    /// Whether it is meant to be encrypted, well or badly.
    private boolean isEncrypted(String text) {
        try {
            if (step.form() == JoseForm.JSON) {
                return JoseHeader.object(text.getBytes(StandardCharsets.UTF_8)).has("ciphertext");
            }
            JsonNode header = JoseHeader.object(
                    JoseText.decoded(JoseText.parts(text, 5).getFirst()));
            return header.has("enc");
        } catch (BadJoseException e) {
            return false;
        }
    }

    private static byte[] opened(EncryptedMessage encrypted, List<OpeningKey> fitting) {
        String named = encrypted.header().keyId();
        int tried = 0;
        for (OpeningKey each : fitting) {
            String id = each.key().id();
            if (!named.isEmpty() && !id.isEmpty() && !id.equals(named)) continue;
            if (tried++ == MOST_TRIED) break;
            Optional<byte[]> content = encrypted.opened(each);
            if (content.isPresent()) return content.get();
        }
        throw new BadJoseException("it cannot be opened");
    }
}
