package gateway.policies.cache;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.UTF_8;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.BodyTooLargeException;
import gateway.http.ClientFacts;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.Outcome;
import gateway.http.Outcome.Ending;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.pipeline.PipelineRun.PendingRenewal;
import gateway.policy.FakeServices;
import gateway.policy.PolicyDefinition;
import gateway.service.CachePurge;
import gateway.service.FakeEntryStore;
import gateway.service.Upstream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// A route with a cache before an upstream that a test plays; time stands still until it is moved.
final class CachedRoute {
    private final FakeServices services;
    private final List<Exchange> asked = new ArrayList<>();
    private final List<PolicyDefinition> policies;
    private boolean renews = true;
    private final Map<String, String> firstTargets;
    private Function<Exchange, Response> upstream = _ -> Response.of(204);

    private CachedRoute(FakeServices services, List<PolicyDefinition> policies, Map<String, String> firstTargets) {
        this.services = services;
        this.policies = policies;
        this.firstTargets = firstTargets;
    }

    /// @param fields of the policy, after its type
    static CachedRoute with(String fields) {
        return with(new FakeServices(), fields);
    }

    /// The same route once its policy has these fields.
    CachedRoute becomes(String fields) {
        return with(services, fields);
    }

    private static CachedRoute with(FakeServices services, String fields) {
        return with(services, fields, "{\"targets\": [{\"url\": \"http://10.0.0.1\"}]}");
    }

    private static CachedRoute with(FakeServices services, String fields, String upstream) {
        ConfigNode node = ConfigNode.parse("""
                {"id": "orders", "match": {"path": "/"}, "upstream": %s,
                 "policies": [{"type": "cache"%s}]}""".formatted(upstream, fields));
        var definition = new DefinitionReader(PolicyRegistry.of(List.of(new ResponseCache.Type()))).read(node);
        node.throwIfInvalid();
        return new CachedRoute(
                services, definition.policies(), definition.upstream().firstTargets());
    }

    /// The same on another node of the store, with an upstream of its own.
    CachedRoute beside() {
        return new CachedRoute(services.beside(), policies, firstTargets);
    }

    /// The same route once it has this upstream, which counts anew.
    ///
    /// @param fields of its policy, after the type
    CachedRoute moves(String fields, String upstream) {
        return with(services, fields, upstream);
    }

    FakeEntryStore entries() {
        return services.entries();
    }

    /// From now on the upstream answers so.
    CachedRoute answers(Function<Exchange, Response> answer) {
        upstream = answer;
        return this;
    }

    /// From now on the upstream answers 200 with a text that counts its answers, and these fields.
    CachedRoute counts(String... fields) {
        return answers(_ -> answer(200, "answer " + asked.size(), fields));
    }

    /// @param fields names and values by turns
    static Response answer(int status, String text, String... fields) {
        Response answer = Response.of(status, "text/plain", text.getBytes(UTF_8));
        for (int i = 0; i < fields.length; i += 2) answer.headers().add(fields[i], fields[i + 1]);
        return answer;
    }

    Response get(String target) {
        return send(Exchanges.get(target));
    }

    /// What the client gets, all of whose body has been sent.
    Response send(Exchanges request) {
        Exchange exchange = request.make();
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        Pipeline pipeline = Pipeline.compile("orders", policies, new Played(), services);
        Response answer = pipeline.run(exchange, run);
        PendingRenewal renewal = renews ? run.takeRenewal() : null;
        end(run, answer, 1 << 24);
        if (renewal != null) renew(pipeline, renewal, exchange);
        ShareWriter writer = services.shared(new ShareWriter.Id(), ShareWriter.class, ShareWriter::new);
        until(() -> writer.waiting() == 0);
        return answer;
    }

    private static void renew(Pipeline pipeline, PendingRenewal renewal, Exchange answered) {
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        Exchange copy = answered.copy(ClientFacts.at(answered.clientAddress()), Headers.copyOf(answered.headers()));
        Optional<Response> answer = pipeline.renew(renewal, copy, run);
        if (answer.isEmpty()) return;
        try {
            end(run, answer.get(), renewal.renewal().most());
        } catch (BodyTooLargeException e) {
            renewal.renewal().outgrown();
            run.end(new Outcome(answer.get().status(), Ending.COMPLETE, 0, 0));
        }
    }

    private static void end(PipelineRun run, Response answer, long most) {
        answer.body().bytes(most);
        run.end(new Outcome(answer.status(), Ending.COMPLETE, 0, 0));
    }

    /// From now on there is room for what goes on behind answers, as there is at first, or none.
    void renews(boolean room) {
        renews = room;
    }

    /// Requests with `X-Branch` go to the branch of that name.
    private final class Played implements Upstream {
        @Override
        public Response send(Exchange exchange, UpstreamWaiter waiter) {
            asked.add(exchange);
            return upstream.apply(exchange);
        }

        @Override
        public Set<String> branches() {
            return firstTargets.size() == 1 ? Set.of() : firstTargets.keySet();
        }

        @Override
        public Map<String, String> firstTargets() {
            return firstTargets;
        }

        @Override
        public void choose(Exchange exchange) {
            exchange.outgoing().branch(exchange.headers().first("X-Branch").orElse("main"));
        }
    }

    /// What is purged on all nodes.
    void purges(CachePurge purge) {
        services.purges().tell(purge);
    }

    void passes(Duration time) {
        services.clock().advance(time);
    }

    String now() {
        return FieldDate.write(services.clock().instant());
    }

    /// How often the upstream was asked.
    int asked() {
        return asked.size();
    }

    /// The last request that the upstream got.
    Exchange last() {
        return asked.getLast();
    }

    static String text(Response answer) {
        return new String(answer.body().bytes(1 << 24), UTF_8);
    }

    static String status(Response answer) {
        return String.join(", ", answer.headers().all("Cache-Status"));
    }
}
