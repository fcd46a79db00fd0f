package gateway.app.redis;

import gateway.json.ConfigNode;
import gateway.key.ApiKey;
import gateway.key.ApiKeyJson;
import gateway.key.StoredKey;

/// A key as Redis keeps it: `VERSION DIGEST JSON`.
final class KeyRecord {
    private KeyRecord() {}

    /// @throws gateway.json.InvalidConfigException when the JSON is not a key's
    static StoredKey read(String record) {
        int first = record.indexOf(' ');
        int second = record.indexOf(' ', first + 1);
        return new StoredKey(key(record.substring(second + 1)), record.substring(0, first));
    }

    static ApiKey key(String json) {
        var node = ConfigNode.parse(json);
        var key = ApiKeyJson.stored(node);
        node.throwIfInvalid();
        return key;
    }
}
