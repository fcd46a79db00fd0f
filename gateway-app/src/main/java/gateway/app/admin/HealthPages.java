package gateway.app.admin;

import gateway.app.settings.ReadinessRule;
import gateway.app.traffic.TrafficState;
import gateway.http.Response;
import gateway.json.Json;
import gateway.snapshot.LiveSnapshot;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Whether the process lives and whether it should be sent requests: `/health/live`, `/health/ready`, `/hello`.
public final class HealthPages {
    private final LiveSnapshot live;
    private final String version;
    private final InstantSource clock;
    private volatile Phase phase = Phase.STARTING;
    private volatile Supplier<StoreState> store = () -> StoreState.EMBEDDED;
    private volatile ReadinessRule rule = ReadinessRule.SERVING;
    private volatile Optional<Supplier<TrafficState>> trafficLog = Optional.empty();
    private volatile Supplier<Set<String>> awayServers = Set::of;
    private volatile Supplier<List<String>> silentIoThreads = List::of;
    private volatile BooleanSupplier member = () -> true;

    /// Where the process is in its life.
    public enum Phase {
        STARTING,
        READY,
        DRAINING
    }

    public HealthPages(LiveSnapshot live, String version, InstantSource clock) {
        this.live = live;
        this.version = version;
        this.clock = clock;
    }

    public void enter(Phase next) {
        phase = next;
    }

    /// Tells the state of a store that may be away. While it is, the rule says when the process is still ready.
    public void watchStore(Supplier<StoreState> state, ReadinessRule whileAway) {
        rule = whileAway;
        store = state;
    }

    /// Tells the state of the traffic log from now on. Its troubles do not make the process unready: it serves without.
    public void watchTrafficLog(Supplier<TrafficState> state) {
        trafficLog = Optional.of(state);
    }

    /// Tells which servers that policies call are away, by the names of their targets. Every node misses them alike, so
    /// that none is better left out: the process stays ready, and says so.
    public void watchServers(Supplier<Set<String>> away) {
        awayServers = away;
    }

    /// Tells which IO threads of the data plane do not answer. While any does not, the process is not ready.
    public void watchIoThreads(Supplier<List<String>> silent) {
        silentIoThreads = silent;
    }

    /// Tells whether this is one of the members that answer together. While it is not, the process is starting.
    public void watchMember(BooleanSupplier joined) {
        member = joined;
    }

    /// The open pages by path.
    Map<String, Supplier<Response>> pages() {
        return Map.of(
                "/health/live",
                        () -> Answers.ok(Json.mapper().createObjectNode().put("status", "live")),
                "/health/ready", () -> now().answer(),
                "/hello", this::hello);
    }

    private Readiness now() {
        return Readiness.of(
                rule,
                phase == Phase.READY && !member.getAsBoolean() ? Phase.STARTING : phase,
                live.current(),
                store.get(),
                awayServers.get(),
                silentIoThreads.get(),
                trafficLog.map(Supplier::get));
    }

    /// The shape that load balancer checks written for Tyk expect; always 200, as there.
    private Response hello() {
        Readiness now = now();
        ObjectNode answer = Json.mapper()
                .createObjectNode()
                .put("status", now.status().hello())
                .put("version", version)
                .put("description", "Gateway");
        ObjectNode details = answer.putObject("details");
        if (now.store().kind().equals("redis")) {
            details.putObject("redis")
                    .put("status", now.store().available() ? "pass" : "fail")
                    .put("componentType", "datastore")
                    .put("time", clock.instant().toString());
        }
        return Answers.ok(answer);
    }
}
