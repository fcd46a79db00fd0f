package gateway.app.admin;

import gateway.config.ApiDefinition;
import gateway.http.Body;
import gateway.http.ClientFacts;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.PathPattern;
import gateway.http.RequestHead;
import gateway.http.Response;
import gateway.http.RouteFacts;
import gateway.json.Json;
import gateway.key.ApiKey;
import gateway.key.KeyHolder;
import gateway.policy.LimitPolicy;
import gateway.policy.PolicyDefinition;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.service.Charge;
import gateway.service.Permit;
import gateway.snapshot.CompiledApi;
import gateway.snapshot.LiveSnapshot;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// What a key has left: `/keys/{id}/usage`. Each limit policy of the APIs it opens is asked what a request with
/// this key would spend, and that counter is read; counters that the key's requests share with others are not
/// its usage.
final class UsageResource {
    private final Services services;
    private final LiveSnapshot live;

    UsageResource(Services services, LiveSnapshot live) {
        this.services = services;
        this.live = live;
    }

    List<AdminRoute> routes() {
        return List.of(AdminRoute.of(
                        "GET",
                        "/keys/{id}/usage",
                        "keyUsage",
                        "What a key has left of each limit that counts it",
                        this::usage)
                .needing(AdminRight.READ, AdminRight.KEYS)
                .answering(200, "its counters now", "Usage")
                .askingStore());
    }

    private Response usage(AdminCall call) {
        ApiKey key = KeysResource.found(services.keys(), call.place("id")).key();
        var answer = Json.mapper().createObjectNode().put("id", key.id());
        var limits = answer.putArray("limits");
        key.plan().ifPresent(plan -> answer.put("plan", plan));
        var opened = new LinkedHashSet<>(key.apis().keySet());
        key.plan()
                .flatMap(services.plans()::find)
                .ifPresent(plan -> opened.addAll(plan.apis().keySet()));
        for (String api : opened) {
            CompiledApi compiled = live.current().apis().get(api);
            if (compiled == null) continue;
            ApiDefinition definition = compiled.definition();
            var counters = new HashSet<String>(); // of one, several policies tell; it is spent once a request
            for (PolicyDefinition policy : definition.allPolicies()) {
                charge(definition, policy, key)
                        .filter(charge -> counters.add(charge.counter()))
                        .ifPresent(charge -> limits.add(limit(definition, policy, charge)));
            }
        }
        return Answers.ok(answer);
    }

    private Optional<Charge> charge(ApiDefinition api, PolicyDefinition policy, ApiKey key) {
        if (policy.stage() != Stage.LIMIT) return Optional.empty();
        if (!(policy.spec().compile(policy.placeIn(api.id()), services) instanceof LimitPolicy limit)) {
            return Optional.empty();
        }
        return limit.charge(supposed(api, key))
                .filter(charge -> charge.subject().equals(key.id()));
    }

    /// A request that the key might send, asked about and never sent: its limits find the key's counters by it.
    private Exchange supposed(ApiDefinition api, ApiKey key) {
        String path = api.match().path();
        var exchange = new Exchange(
                "",
                new RequestHead("GET", "http", "localhost", path, path, ""),
                ClientFacts.at(InetAddress.getLoopbackAddress()),
                RouteFacts.of(api.id(), PathPattern.of(path)),
                Headers.create(),
                Body.EMPTY,
                Long.MAX_VALUE,
                null);
        KeyHolder.of(key, services.plans()).ifPresent(exchange::authenticated);
        return exchange;
    }

    private ObjectNode limit(ApiDefinition api, PolicyDefinition policy, Charge charge) {
        Permit now = services.limits().peek(List.of(charge)).getFirst();
        return Json.mapper()
                .createObjectNode()
                .put("api", api.id())
                .put("policy", policy.step())
                .put("limit", now.limit())
                .put("remaining", now.remaining())
                .put("resetSeconds", Duration.ofNanos(now.resetNanos()).toMillis() / 1000.0);
    }
}
