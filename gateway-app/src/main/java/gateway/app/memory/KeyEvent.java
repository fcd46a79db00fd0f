package gateway.app.memory;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.key.ApiKey;
import gateway.key.ApiKeyJson;
import gateway.key.SecretDigest;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// A line of the journal of keys. Versions count all changes of all keys, so none is ever used twice.
sealed interface KeyEvent {
    long version();

    /// The key stands like this from now on.
    record Kept(long version, SecretDigest digest, ApiKey key, Optional<Former> former) implements KeyEvent {}

    /// The secret that a key had before, and until when it still opens it.
    record Former(SecretDigest digest, Instant until) {}

    record Deleted(long version, String id) implements KeyEvent {}

    /// Versions up to this one are used up: the first line of a new or rewritten journal.
    record Reached(long version) implements KeyEvent {}

    /// One line of JSON.
    default String line() {
        var json = Json.mapper().createObjectNode().put("version", version());
        switch (this) {
            case Kept kept -> write(kept, json);
            case Deleted deleted -> json.put("deleted", deleted.id());
            case Reached reached -> {}
        }
        return Json.compact(json);
    }

    private static void write(Kept kept, ObjectNode json) {
        json.put("digest", kept.digest().hex()).set("key", ApiKeyJson.write(kept.key()));
        kept.former()
                .ifPresent(former -> json.putObject("former")
                        .put("digest", former.digest().hex())
                        .put("until", former.until().toString()));
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
        return new Kept(
                version,
                SecretDigest.parse(digest.requiredText()),
                ApiKeyJson.stored(key),
                former(node.field("former")));
    }

    private static Optional<Former> former(ConfigNode node) {
        if (!node.isPresent()) return Optional.empty();
        var digest = SecretDigest.parse(node.field("digest").requiredText());
        var former = new Former(digest, Instant.parse(node.field("until").requiredText()));
        node.refuseUnknownFields();
        return Optional.of(former);
    }
}
