package gateway.app.memory;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.service.AuditEntry;
import java.time.Instant;

/// Audit entries as lines of JSON.
final class AuditJson {
    private AuditJson() {}

    static String write(AuditEntry entry) {
        return Json.compact(Json.mapper()
                .createObjectNode()
                .put("at", entry.at().toString())
                .put("token", entry.token())
                .put("action", entry.action())
                .put("fromRevision", entry.fromRevision())
                .put("toRevision", entry.toRevision()));
    }

    /// @throws gateway.json.InvalidConfigException when [#write] did not write `line`
    static AuditEntry read(String line) {
        var node = ConfigNode.parse(line);
        var entry = new AuditEntry(
                node.field("at").optionalInstant().orElse(Instant.EPOCH),
                node.field("token").text(),
                node.field("action").text(),
                node.field("fromRevision").integer(0, Long.MAX_VALUE),
                node.field("toRevision").integer(0, Long.MAX_VALUE));
        node.throwIfInvalid();
        return entry;
    }
}
