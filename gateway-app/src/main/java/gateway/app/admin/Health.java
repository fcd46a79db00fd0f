package gateway.app.admin;

import gateway.app.traffic.TrafficState;
import gateway.http.Response;
import gateway.json.Json;
import gateway.snapshot.LiveSnapshot;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Whether the process lives and whether it should be sent requests: `/health/live`, `/health/ready`, `/hello`.
public final class Health {
    private final LiveSnapshot live;
    private final String version;
    private volatile Phase phase = Phase.STARTING;
    private volatile Optional<Supplier<TrafficState>> trafficLog = Optional.empty();

    /// Where the process is in its life.
    public enum Phase {
        STARTING("starting", 503),
        READY("ready", 200),
        DRAINING("draining", 503);

        private final String text;
        private final int status;

        Phase(String text, int status) {
            this.text = text;
            this.status = status;
        }
    }

    public Health(LiveSnapshot live, String version) {
        this.live = live;
        this.version = version;
    }

    public void enter(Phase next) {
        phase = next;
    }

    /// Tells the state of the traffic log from now on. Its troubles do not make the process unready: it serves without.
    public void watchTrafficLog(Supplier<TrafficState> state) {
        trafficLog = Optional.of(state);
    }

    /// The open pages by path.
    Map<String, Supplier<Response>> pages() {
        return Map.of(
                "/health/live",
                        () -> Answers.ok(Json.mapper().createObjectNode().put("status", "live")),
                "/health/ready", this::ready,
                "/hello", this::hello);
    }

    private Response ready() {
        Phase now = phase;
        ObjectNode answer = json(now.text).put("revision", live.current().revision());
        trafficLog
                .map(Supplier::get)
                .ifPresent(state -> answer.putObject("trafficLog")
                        .put("state", state.condition().name().toLowerCase(Locale.ROOT))
                        .put("reason", state.reason()));
        return Answers.json(now.status, answer);
    }

    /// The shape that load balancer checks written for Tyk expect.
    private Response hello() {
        ObjectNode answer = json(phase == Phase.READY ? "pass" : "warn")
                .put("version", version)
                .put("description", "Gateway");
        answer.putObject("details");
        return Answers.ok(answer);
    }

    private static ObjectNode json(String status) {
        return Json.mapper().createObjectNode().put("status", status);
    }
}
