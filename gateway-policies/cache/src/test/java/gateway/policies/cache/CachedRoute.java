package gateway.policies.cache;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.UTF_8;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A route with a cache before an upstream that a test plays; time stands still until it is moved.
final class CachedRoute {
    private final FakeServices services;
    private final List<Exchange> asked = new ArrayList<>();
    private final List<PolicyDefinition> policies;
    private boolean renews = true;
    private Function<Exchange, Response> upstream = _ -> Response.of(204);

    private CachedRoute(FakeServices services, List<PolicyDefinition> policies) {
        this.services = services;
        this.policies = policies;
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
        ConfigNode node = ConfigNode.parse("""
                {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://10.0.0.1"}]},
                 "policies": [{"type": "cache"%s}]}""".formatted(fields));
        var policies = new DefinitionReader(PolicyRegistry.of(List.of(new ResponseCache.Type())))
                .read(node)
                .policies();
        node.throwIfInvalid();
        return new CachedRoute(services, policies);
    }

    /// The same on another node of the store, with an upstream of its own.
    CachedRoute beside() {
        return new CachedRoute(services.beside(), policies);
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
        Pipeline pipeline = Pipeline.compile(
                "orders",
                policies,
                (each, _) -> {
                    asked.add(each);
                    return upstream.apply(each);
                },
                services);
        Response answer = pipeline.run(exchange, run);
        PendingRenewal renewal = renews ? run.takeRenewal() : null;
        end(run, answer);
        if (renewal != null) renew(pipeline, renewal, exchange);
        ShareWriter writer = services.shared(new ShareWriter.Id(), ShareWriter.class, ShareWriter::new);
        until(() -> writer.waiting() == 0);
        return answer;
    }

    private static void renew(Pipeline pipeline, PendingRenewal renewal, Exchange answered) {
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        Exchange copy = answered.copy(ClientFacts.at(answered.clientAddress()), Headers.copyOf(answered.headers()));
        Optional<Response> answer = pipeline.renew(renewal, copy, run);
        if (answer.isPresent()) end(run, answer.get());
    }

    private static void end(PipelineRun run, Response answer) {
        answer.body().bytes(1 << 24);
        run.end(new Outcome(answer.status(), Ending.COMPLETE, 0, 0));
    }

    /// From now on there is room for what goes on behind answers, as there is at first, or none.
    void renews(boolean room) {
        renews = room;
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
