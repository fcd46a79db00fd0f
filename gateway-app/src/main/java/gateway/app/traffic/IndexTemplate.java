package gateway.app.traffic;

import gateway.json.Durations;
import gateway.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// The index template of the data stream: what the fields are, and when records are deleted. A data stream that exists
/// keeps the retention it was made with, so it is told its own.
final class IndexTemplate {
    private static final Logger log = LoggerFactory.getLogger(IndexTemplate.class);
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY = 429;
    private static final String NO_SUCH_CALL =
            "no handler found for uri"; // a distribution without data streams' module

    private final Cluster cluster;
    private final TrafficTarget.Elasticsearch target;

    IndexTemplate(Cluster cluster, TrafficTarget.Elasticsearch target) {
        this.cluster = cluster;
        this.target = target;
    }

    /// Puts it in place, once it is known whether the cluster can do what it asks for; the answer tells how that went.
    void install(Consumer<ClusterReply> answer) {
        var calls = StreamCalls.over(cluster);
        if (target.lifecyclePolicy().isEmpty()) {
            put(calls, false, answer);
            return;
        }
        calls.modules(found -> put(calls, hasLifecycles(found), answer), reply -> {
            switch (reply) {
                case ClusterReply.Answered unread
                when unread.status() < 300 -> {
                    log.warn(
                            "this Elasticsearch does not tell whether it has ILM; records are deleted after {}",
                            target.retention());
                    put(calls, false, answer);
                }
                case ClusterReply.Answered refused -> answer.accept(refused);
                case ClusterReply.Unreachable unreachable -> answer.accept(unreachable);
            }
        });
    }

    /// The template's JSON.
    ///
    /// @param lifecycles whether the cluster has index lifecycle management
    String text(boolean lifecycles) {
        var template = (ObjectNode) Json.parse(resource());
        template.putArray("index_patterns").add(target.dataStream());
        var body = (ObjectNode) template.path("template");
        body.set("lifecycle", lifecycle());
        if (lifecycles) {
            target.lifecyclePolicy()
                    .ifPresent(policy -> ((ObjectNode) body.path("settings"))
                            .put("index.lifecycle.name", policy)
                            .put("index.lifecycle.prefer_ilm", true));
        }
        return Json.compact(template);
    }

    private boolean hasLifecycles(Set<String> modules) {
        boolean found = modules.contains("x-pack-ilm");
        if (!found) log.warn("this Elasticsearch has no ILM; records are deleted after {}", target.retention());
        return found;
    }

    private void put(StreamCalls calls, boolean lifecycles, Consumer<ClusterReply> answer) {
        boolean policyDecides = lifecycles && target.lifecyclePolicy().isPresent();
        calls.putTemplate(target.dataStream(), text(lifecycles), reply -> {
            switch (reply) {
                case ClusterReply.Answered template
                when template.status() < 300 && !policyDecides -> putRetention(calls, template, answer);
                case ClusterReply.Answered done -> answer.accept(done);
                case ClusterReply.Unreachable unreachable -> answer.accept(unreachable);
            }
        });
    }

    /// Of the data stream, if there is one. A refusal costs the retention only: records are shipped all the same.
    private void putRetention(StreamCalls calls, ClusterReply.Answered template, Consumer<ClusterReply> answer) {
        calls.putRetention(target.dataStream(), Durations.text(target.retention()), reply -> {
            switch (reply) {
                case ClusterReply.Answered busy
                when busy.status() >= 500 || busy.status() == TOO_MANY -> answer.accept(busy);
                case ClusterReply.Answered told -> {
                    if (told.status() >= 300 && told.status() != NOT_FOUND) tellKept(told);
                    answer.accept(template);
                }
                case ClusterReply.Unreachable unreachable -> answer.accept(unreachable);
            }
        });
    }

    private void tellKept(ClusterReply.Answered refused) {
        String retention = Durations.text(target.retention());
        if (refused.status() == FORBIDDEN) {
            log.warn(
                    "data stream {}, if it exists, keeps the retention it has, not {}: the credentials lack the index "
                            + "privilege manage_data_stream_lifecycle (HTTP 403)",
                    target.dataStream(),
                    retention);
        } else if (refused.text().contains(NO_SUCH_CALL)) {
            log.info("data stream {} keeps the retention it was made with: no lifecycle API", target.dataStream());
        } else {
            log.warn(
                    "data stream {} keeps the retention it has, not {}: {}",
                    target.dataStream(),
                    retention,
                    refused.text());
        }
    }

    private ObjectNode lifecycle() {
        return Json.mapper().createObjectNode().put("data_retention", Durations.text(target.retention()));
    }

    private static String resource() {
        try (var stream = IndexTemplate.class.getResourceAsStream("index-template.json")) {
            if (stream == null) throw new IllegalStateException("index-template.json is not in the jar");
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
