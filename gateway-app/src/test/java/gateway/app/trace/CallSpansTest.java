package gateway.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.AskServer;
import gateway.app.Gateway;
import gateway.app.trace.SpanReceiver.Received;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The spans of what a policy calls.
@Timeout(60)
final class CallSpansTest {
    @TempDir
    private Path data;

    @TempDir
    private Path policies;

    @Test
    void a_call_lies_within_its_policy_and_the_server_learns_of_it() throws Exception {
        try (var rig = new TracingRig(data)) {
            String server = "http://127.0.0.1:" + rig.upstreamPort();
            Files.writeString(data.resolve("apis/asking.json"), """
                    {"id": "asking", "match": {"path": "/asking"},
                     "policies": [{"type": "ask-server", "server": {"url": "%s"}}],
                     "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""".formatted(server));
            try (Gateway gateway = AskServer.known(policies, () -> rig.start(Map.of("GATEWAY_TRACING_RATIO", "1")))) {
                assertThat(rig.call(gateway, "/asking")).isEqualTo(201);
            }

            Received request = rig.only("GET /asking");
            Received policy = rig.only("policy ask-server");
            Received call = rig.only("GET");
            assertThat(policy.parent()).isEqualTo(request.id());
            assertThat(call.parent()).isEqualTo(policy.id());
            assertThat(call.kind()).isEqualTo("CLIENT");
            assertThat(call.attributes())
                    .containsEntry("server.port", Integer.toString(rig.upstreamPort()))
                    .containsEntry("http.response.status_code", "201");
            assertThat(rig.upstreamRequests.take().get("Traceparent").getFirst())
                    .startsWith("00-" + call.trace() + "-" + call.id() + "-");
        }
    }
}
