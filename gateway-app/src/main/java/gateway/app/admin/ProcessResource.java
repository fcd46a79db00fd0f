package gateway.app.admin;

import gateway.http.Response;
import gateway.json.Json;
import gateway.service.AuditEntry;
import gateway.snapshot.LiveSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// What this process serves and is: `/snapshot`, `/reload`, `/audit`, `/runtime`.
final class ProcessResource {
    private static final long MOST_AT_ONCE = 1000;
    private final Definitions definitions;
    private final LiveSnapshot live;
    private final AuditTrail audit;
    private final Supplier<ObjectNode> runtime;

    ProcessResource(Definitions definitions, LiveSnapshot live, AuditTrail audit, Supplier<ObjectNode> runtime) {
        this.definitions = definitions;
        this.live = live;
        this.audit = audit;
        this.runtime = runtime;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of(
                                "POST",
                                "/reload",
                                "reload",
                                "Reads the stored definitions and certificate files again and serves them",
                                this::reload)
                        .takingNothing()
                        .answering(200, "live", "Snapshot")
                        .answering(422, "not all can be served; what was served is served still")
                        .askingStore(),
                AdminRoute.of(
                                "GET",
                                "/snapshot",
                                "snapshot",
                                "What is served now",
                                call -> Answers.ok(SnapshotJson.of(live.current())))
                        .answering(200, "the snapshot", "Snapshot"),
                AdminRoute.of("GET", "/audit", "audit", "Administrative writes, newest first", this::audit)
                        .knowing(QueryParameter.LIMIT, QueryParameter.OFFSET)
                        .answering(200, "a page of writes", "AuditPage")
                        .askingStore(),
                runtime(runtime));
    }

    static AdminRoute runtime(Supplier<ObjectNode> now) {
        return AdminRoute.of(
                        "GET",
                        "/runtime",
                        "runtime",
                        "The process, its JVM and its threads",
                        call -> Answers.ok(now.get()))
                .answering(200, "as it is now", "Runtime");
    }

    private Response reload(AdminCall call) {
        definitions.reloadAll();
        definitions.audited(call.author(), call.inWords());
        return Answers.ok(SnapshotJson.of(live.current()));
    }

    private Response audit(AdminCall call) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        int offset = (int) call.number("cursor", 0, QueryParameter.LARGEST_OFFSET, 0);
        List<AuditEntry> found = audit.latest(offset, limit + 1);
        boolean more = found.size() > limit;
        Optional<String> next = more ? Optional.of(Integer.toString(offset + limit)) : Optional.empty();
        return Answers.page(more ? found.subList(0, limit) : found, ProcessResource::json, next);
    }

    private static ObjectNode json(AuditEntry entry) {
        return Json.mapper()
                .createObjectNode()
                .put("at", entry.at().toString())
                .put("token", entry.token())
                .put("action", entry.action())
                .put("fromRevision", entry.fromRevision())
                .put("toRevision", entry.toRevision());
    }
}
