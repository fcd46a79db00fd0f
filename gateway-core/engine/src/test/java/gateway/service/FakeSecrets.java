package gateway.service;

import gateway.http.Secret;
import gateway.json.Json;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Secrets in a map. A stored one stands in its document in the clear: `{"value": "…"}`.
public final class FakeSecrets implements SecretSource {
    private final Map<SecretReference, String> values = new HashMap<>();
    private @Nullable SecretSource stored;

    /// From now on the reference has this value.
    public void put(SecretReference.Origin origin, String name, String value) {
        values.put(new SecretReference(origin, name), value);
    }

    /// From now on it is not there.
    public void remove(SecretReference.Origin origin, String name) {
        values.remove(new SecretReference(origin, name));
    }

    /// The one of this reference, for policies that are compiled without a snapshot.
    public Secret open(SecretReference reference) {
        String value = values.get(reference);
        if (value == null) throw new SecretUnavailableException("no " + reference);
        return new Secret(value);
    }

    /// From now on `other` opens stored ones.
    public void openStoredBy(SecretSource other) {
        stored = other;
    }

    @Override
    public Secret stored(String id, String document) {
        if (stored != null) return stored.stored(id, document);
        String value = Json.parse(document).path("value").asString("");
        if (value.isEmpty()) throw new SecretUnavailableException("sealed with another key");
        return new Secret(value);
    }

    /// What an envelope says behind the document's name is what it seals, unless something else opens stored ones.
    @Override
    public Secret written(String document, String envelope) {
        if (stored != null) return stored.written(document, envelope);
        if (!envelope.startsWith(document.replace('/', '.') + "."))
            throw new SecretUnavailableException("sealed for another document");
        return new Secret(envelope.substring(document.length() + 1));
    }

    /// What an envelope says is what it seals, for whichever key.
    @Override
    public Secret ofKey(String id, String envelope) {
        if (!envelope.startsWith("sealed ")) throw new SecretUnavailableException("sealed with another key");
        return new Secret(envelope.substring("sealed ".length()));
    }

    @Override
    public Secret variable(String name) {
        return open(new SecretReference(SecretReference.Origin.ENV, name));
    }

    @Override
    public Secret file(String name) {
        return open(new SecretReference(SecretReference.Origin.FILE, name));
    }
}
