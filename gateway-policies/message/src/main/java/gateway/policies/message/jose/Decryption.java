package gateway.policies.message.jose;

import gateway.http.Exchange;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Opens messages with keys of ours.
record Decryption(DecryptStep step, Map<KeyManagement, List<OpeningKey>> keys, JosePlace place) implements JoseAction {
    /// Of the keys that fit a message so many are tried.
    private static final int MOST_TRIED = 4;

    @Override
    public void apply(JoseMessage message, Exchange exchange) {
        Optional<EncryptedMessage> shown = shown(message);
        if (shown.isEmpty() && step.optional() && !isMeant(message)) return;
        EncryptedMessage encrypted = shown.orElseThrow(() -> new BadJoseException("nothing that is encrypted"));
        if (!step.encryption().contains(encrypted.encryption())) throw new BadJoseException("another encryption");
        List<OpeningKey> candidates = candidates(encrypted);
        byte[] content = place.work(true, encrypted.length(), () -> encrypted.opened(candidates));
        message.opened(step.part(), content, encrypted.header().contentType().orElse(step.media()));
    }

    private boolean isMeant(JoseMessage message) {
        return JoseKind.ENCRYPTED.isMeant(message, step.part(), step.form());
    }

    private Optional<EncryptedMessage> shown(JoseMessage message) {
        return step.form() == JoseForm.JSON
                ? message.object(step.part()).filter(JoseKind.ENCRYPTED::isIn).map(EncryptedMessage::ofJson)
                : message.text(step.part())
                        .filter(text -> JoseText.isCompact(text, 5, "enc"))
                        .map(EncryptedMessage::ofCompact);
    }

    private List<OpeningKey> candidates(EncryptedMessage encrypted) {
        String named = encrypted.header().keyId();
        return keys.getOrDefault(encrypted.management(), List.of()).stream()
                .filter(each -> named.isEmpty()
                        || each.key().id().isEmpty()
                        || each.key().id().equals(named))
                .limit(MOST_TRIED)
                .toList();
    }
}
