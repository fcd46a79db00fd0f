package gateway.policies.message.jose;

import gateway.http.Exchange;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// Encrypts messages for one recipient.
///
/// @param key of the recipient, as it stands now
record EncryptionForRecipient(EncryptStep step, Supplier<ClosingKey> key, JosePlace place) implements JoseAction {
    @Override
    public void apply(JoseMessage message, Exchange exchange) {
        Optional<byte[]> content = message.content(step.part());
        if (content.isEmpty()) return;
        Optional<String> type =
                step.part() instanceof JosePart.Body ? message.type().flatMap(MediaName::shortened) : Optional.empty();
        ClosingKey closing = key.get();
        JsonNode form = place.work(true, content.get().length, () -> {
            JsonNode closed = closing.closed(content.get(), type, step.form());
            return step.part() instanceof JosePart.Value ? closed : JoseText.node(JoseMessage.written(closed));
        });
        String media = step.form() == JoseForm.JSON ? Signing.JOSE_JSON : Signing.JOSE;
        message.closed(step.part(), form, media);
    }
}
