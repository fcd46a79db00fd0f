package gateway.app.traffic;

import gateway.json.Durations;
import gateway.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// The index template of the data stream: what the fields are, and when records are deleted.
final class IndexTemplate {
    private static final Logger log = LoggerFactory.getLogger(IndexTemplate.class);
    private static final String MODULES = "/_nodes/plugins?filter_path=nodes.*.modules.name";

    private final Cluster cluster;
    private final TrafficTarget.Elasticsearch target;

    IndexTemplate(Cluster cluster, TrafficTarget.Elasticsearch target) {
        this.cluster = cluster;
        this.target = target;
    }

    /// Puts it in place, once it is known whether the cluster can do what it asks for; the answer tells how that went.
    void install(Consumer<Reply> answer) {
        if (target.lifecyclePolicy().isEmpty()) {
            put(false, answer);
            return;
        }
        cluster.get(MODULES, reply -> {
            switch (reply) {
                case Reply.Answered modules when modules.status() == 200 -> put(hasLifecycles(modules), answer);
                case Reply.Answered refused -> answer.accept(refused);
                case Reply.Unreachable unreachable -> answer.accept(unreachable);
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
        body.putObject("lifecycle").put("data_retention", Durations.text(target.retention()));
        if (lifecycles) {
            target.lifecyclePolicy()
                    .ifPresent(policy -> ((ObjectNode) body.path("settings"))
                            .put("index.lifecycle.name", policy)
                            .put("index.lifecycle.prefer_ilm", true));
        }
        return Json.compact(template);
    }

    private boolean hasLifecycles(Reply.Answered modules) {
        boolean found = new String(modules.body(), StandardCharsets.UTF_8).contains("\"x-pack-ilm\"");
        if (!found) log.warn("this Elasticsearch has no ILM; records are deleted after {}", target.retention());
        return found;
    }

    private void put(boolean lifecycles, Consumer<Reply> answer) {
        cluster.put("/_index_template/" + target.dataStream(), text(lifecycles), answer);
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
