package gateway.app.admin;

import gateway.app.settings.ReadinessRule;
import gateway.app.traffic.TrafficState;
import gateway.http.Response;
import gateway.json.Json;
import gateway.snapshot.Snapshot;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import tools.jackson.databind.node.ObjectNode;

/// What `/health/ready` says at one moment, part by part.
///
/// @param refusing the policies that refuse requests for want of the store, as `<api>/<step>`
/// @param calling the policies that call servers which are away, by these servers' names
/// @param silent the IO threads that do not answer
/// @param trafficLog empty when requests are not recorded
record Readiness(
        Status status,
        Snapshot snapshot,
        StoreState store,
        List<String> refusing,
        SortedMap<String, List<String>> calling,
        List<String> silent,
        Optional<TrafficState> trafficLog) {
    private static final int MOST_NAMED = 10;

    enum Status {
        STARTING(503, "warn"),
        READY(200, "pass"),
        /// Something is away, and some requests are served as declared all the same.
        DEGRADED(200, "warn"),
        /// Something is away and policies refuse requests for it, by the rule; or an IO thread does nothing.
        UNREADY(503, "fail"),
        DRAINING(503, "warn");

        private final int code;
        private final String hello;

        Status(int code, String hello) {
            this.code = code;
            this.hello = hello;
        }

        /// The same in the words of `/hello`.
        String hello() {
            return hello;
        }
    }

    static Readiness of(
            ReadinessRule rule,
            HealthPages.Phase phase,
            Snapshot snapshot,
            StoreState store,
            Set<String> away,
            List<String> silent,
            Optional<TrafficState> trafficLog) {
        List<String> refusing = Dependence.refusing(snapshot, store);
        SortedMap<String, List<String>> calling = Dependence.calling(snapshot, away);
        boolean traffic = trafficLog.isEmpty() || !trafficLog.get().isTroubled();
        boolean refuses =
                !refusing.isEmpty() && (rule == ReadinessRule.STRICT || !Dependence.someServeWithout(snapshot, store));
        Status status = switch (phase) {
            case STARTING -> Status.STARTING;
            case DRAINING -> Status.DRAINING;
            case READY -> {
                if (refuses || !silent.isEmpty()) yield Status.UNREADY;
                yield store.available() && calling.isEmpty() && traffic ? Status.READY : Status.DEGRADED;
            }
        };
        return new Readiness(status, snapshot, store, refusing, calling, silent, trafficLog);
    }

    Response answer() {
        ObjectNode answer = Json.mapper()
                .createObjectNode()
                .put("status", lowerCase(status))
                .put("revision", snapshot.revision());
        answer.putObject("snapshot")
                .put("state", status == Status.STARTING ? "starting" : "live")
                .put("apis", snapshot.apis().size())
                .put("problems", snapshot.problems().size());
        tellStore(answer.putObject("store"));
        if (!calling.isEmpty()) tellServers(answer.putObject("servers"));
        if (!silent.isEmpty()) silent.forEach(answer.putObject("ioThreads").putArray("silent")::add);
        trafficLog.ifPresent(state -> answer.putObject("trafficLog")
                .put("state", lowerCase(state.condition()))
                .put("reason", state.reason()));
        return Answers.json(status.code, answer);
    }

    private void tellStore(ObjectNode answer) {
        answer.put("state", store.available() ? "available" : "away").put("kind", store.kind());
        store.evictionPolicy().ifPresent(policy -> answer.put("mayEvict", policy));
        if (store.available()) return;
        answer.put("refusing", refusing.size());
        var named = answer.putArray("refusingPolicies");
        refusing.stream().limit(MOST_NAMED).forEach(named::add);
    }

    private void tellServers(ObjectNode answer) {
        calling.entrySet().stream().limit(MOST_NAMED).forEach(server -> {
            var named = answer.putObject(server.getKey()).put("state", "away").putArray("policies");
            server.getValue().stream().limit(MOST_NAMED).forEach(named::add);
        });
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
