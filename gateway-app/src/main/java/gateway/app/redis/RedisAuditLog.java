package gateway.app.redis;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.service.AuditEntry;
import gateway.service.AuditLog;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// Administrative writes in a Redis stream; past a hundred thousand the oldest go.
final class RedisAuditLog implements AuditLog {
    private static final Script APPEND = Script.of("audit-append");
    private static final Script LATEST = Script.of("audit-latest");
    private static final int MOST_ENTRIES = 100_000;

    private final RedisLink link;
    private final String key;

    RedisAuditLog(RedisLink link, String namespace) {
        this.link = link;
        this.key = "{" + namespace + ":audit}";
    }

    @Override
    public void append(AuditEntry entry) {
        link.askPatiently(APPEND, Arguments.keys(key).add(json(entry)).add(MOST_ENTRIES), new ScriptReply.Numbers());
    }

    @Override
    public List<AuditEntry> latest(int offset, int limit) {
        var answer = link.askPatiently(LATEST, Arguments.keys(key).add(offset).add(limit), new ScriptReply.Texts());
        return answer.all().stream()
                .map(text -> entry(ConfigNode.parse(Objects.requireNonNull(text))))
                .toList();
    }

    private static String json(AuditEntry entry) {
        return Json.compact(Json.mapper()
                .createObjectNode()
                .put("at", entry.at().toString())
                .put("token", entry.token())
                .put("action", entry.action())
                .put("from", entry.fromRevision())
                .put("to", entry.toRevision()));
    }

    private static AuditEntry entry(ConfigNode node) {
        return new AuditEntry(
                node.field("at").optionalInstant().orElse(Instant.EPOCH),
                node.field("token").text(),
                node.field("action").text(),
                node.field("from").integer(0, Long.MAX_VALUE, 0),
                node.field("to").integer(0, Long.MAX_VALUE, 0));
    }
}
