package gateway.app.memory;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.key.ApiKey;
import gateway.key.ApiKeyJson;
import gateway.key.SecretDigest;

/// A line of the journal of keys. Versions count all changes of all keys, so none is ever used twice.
sealed interface KeyEvent {
    long version();

    /// The key stands like this from now on.
    record Kept(long version, SecretDigest digest, ApiKey key) implements KeyEvent {}

    record Deleted(long version, String id) implements KeyEvent {}

    /// Versions up to this one are used up: the first line of a new or rewritten journal.
    record Reached(long version) implements KeyEvent {}

    /// One line of JSON.
    default String line() {
        var json = Json.mapper().createObjectNode().put("version", version());
        switch (this) {
            case Kept kept -> json.put("digest", kept.digest().hex()).set("key", ApiKeyJson.write(kept.key()));
            case Deleted deleted -> json.put("deleted", deleted.id());
            case Reached reached -> {}
        }
        return Json.compact(json);
    }

    /// @throws gateway.json.InvalidConfigException when [#line] did not write `line`
    static KeyEvent parse(String line) {
        var node = ConfigNode.parse(line);
        long version = node.field("version").integer(0, Long.MAX_VALUE);
        var event = event(node, version);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return event;
    }

    private static KeyEvent event(ConfigNode node, long version) {
        var deleted = node.field("deleted");
        if (deleted.isPresent()) return new Deleted(version, deleted.requiredText());
        var digest = node.field("digest");
        var key = node.field("key");
        if (!key.isPresent()) return new Reached(version);
        return new Kept(version, SecretDigest.parse(digest.requiredText()), ApiKeyJson.read(key));
    }
}
