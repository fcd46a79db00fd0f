package gateway.app.admin;

import gateway.app.steering.Bulkhead;
import gateway.app.steering.CircuitBreaker;
import gateway.app.steering.Endpoint;
import gateway.app.steering.Group;
import gateway.app.steering.Mirror;
import gateway.app.steering.RetryBudget;
import gateway.app.steering.TargetHealth;
import gateway.app.steering.UpstreamReadings;
import gateway.config.UpstreamDefinition;
import gateway.http.Response;
import gateway.json.Json;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.LiveSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// How the upstreams of the served APIs stand on this node: `/upstreams`.
final class UpstreamsResource {
    private static final long MOST_AT_ONCE = 1000;

    private final LiveSnapshot live;

    UpstreamsResource(LiveSnapshot live) {
        this.live = live;
    }

    List<AdminRoute> routes() {
        return List.of(AdminRoute.of(
                        "GET",
                        "/upstreams",
                        "listUpstreams",
                        "Upstreams of the served APIs as this node sees them: targets, breaker, retries, bulkhead",
                        this::list)
                .knowing(QueryParameter.LIMIT, QueryParameter.OFFSET, QueryParameter.NAME)
                .answering(200, "a page of upstreams, in order of their API's id", "UpstreamPage"));
    }

    private Response list(AdminCall call) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        int from = (int) call.number("cursor", 0, QueryParameter.LARGEST_OFFSET, 0);
        String part = call.query().getOrDefault("name", "");
        List<Told> found = new TreeMap<>(live.current().apis())
                .values().stream()
                        .flatMap(UpstreamsResource::told)
                        .filter(told -> told.readings.name().contains(part))
                        .skip(from)
                        .limit(limit + 1L)
                        .toList();
        boolean more = found.size() > limit;
        Optional<String> next = more ? Optional.of(Integer.toString(from + limit)) : Optional.empty();
        return Answers.page(more ? found.subList(0, limit) : found, UpstreamsResource::json, next);
    }

    private record Told(String api, UpstreamReadings readings) {}

    private static Stream<Told> told(CompiledApi api) {
        return api.upstreams().stream()
                .flatMap(upstream -> UpstreamReadings.of(upstream).stream())
                .map(readings -> new Told(api.definition().id(), readings));
    }

    private static ObjectNode json(Told told) {
        UpstreamReadings readings = told.readings;
        ObjectNode json = Json.mapper()
                .createObjectNode()
                .put("name", readings.name())
                .put("api", told.api)
                .put("balance", word(readings.definition().balance()))
                .put("watched", readings.watched());
        ArrayNode targets = json.putArray("targets");
        readings.group()
                .ifPresentOrElse(group -> addWatched(targets, group), () -> addDefined(targets, readings.definition()));
        readings.breaker().ifPresent(breaker -> json.set("circuitBreaker", json(breaker)));
        readings.retries().ifPresent(retries -> json.set("retry", json(retries)));
        readings.bulkhead().ifPresent(bulkhead -> json.set("bulkhead", json(bulkhead)));
        readings.mirror().ifPresent(mirror -> json.set("mirror", json(mirror)));
        return json;
    }

    private static void addDefined(ArrayNode targets, UpstreamDefinition definition) {
        definition
                .targets()
                .forEach(target -> targets.addObject()
                        .put("target", target.url().toString())
                        .put("weight", target.weight()));
    }

    private static void addWatched(ArrayNode targets, Group group) {
        List<Endpoint> endpoints = group.endpoints();
        for (int place = 0; place < endpoints.size(); place++) {
            Endpoint endpoint = endpoints.get(place);
            ObjectNode target = targets.addObject()
                    .put("target", endpoint.name())
                    .put("weight", endpoint.weight())
                    .put("state", word(group.standing(place)))
                    .put("inFlight", endpoint.state().inFlight())
                    .put("requests", endpoint.state().requests())
                    .put("failures", endpoint.state().failures());
            endpoint.health().map(TargetHealth::checks).ifPresent(checks -> target.put("checks", checks));
            Duration out = endpoint.state().outFor();
            if (out.isPositive()) target.put("outForSeconds", out.toMillis() / 1000.0);
        }
    }

    private static ObjectNode json(CircuitBreaker breaker) {
        return Json.mapper()
                .createObjectNode()
                .put("state", word(breaker.phase()))
                .put("refused", breaker.refused());
    }

    private static ObjectNode json(RetryBudget budget) {
        return Json.mapper().createObjectNode().put("repeated", budget.spent()).put("overBudget", budget.refused());
    }

    private static ObjectNode json(Mirror mirror) {
        return Json.mapper()
                .createObjectNode()
                .put("inFlight", mirror.inFlight())
                .put("sent", mirror.sent())
                .put("failed", mirror.failed())
                .put("dropped", mirror.dropped())
                .put("skipped", mirror.skipped());
    }

    private static ObjectNode json(Bulkhead bulkhead) {
        return Json.mapper()
                .createObjectNode()
                .put("inFlight", bulkhead.inFlight())
                .put("waiting", bulkhead.waiting())
                .put("refused", bulkhead.refused());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
