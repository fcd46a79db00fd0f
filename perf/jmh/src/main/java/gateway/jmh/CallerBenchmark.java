package gateway.jmh;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Exchange;
import gateway.http.RequestHead;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.Services;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What policies that look at callers, or show the upstream who asks, cost a request whose answer is remembered or
/// which a secret verifies, its exchange and response included, and what the same request costs without them.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CallerBenchmark {
    private static final RequestHead HEAD = BenchmarkRequests.head(BenchmarkRequests.PATH, "");

    @Param({
        "none",
        "jwt",
        "http-signature",
        "api-call",
        "oauth2-introspection",
        "ldap-auth",
        "oidc-store",
        "oidc-cookie",
        "upstream-auth"
    })
    String policy = "none";

    private List<String> lines = List.of();
    private @Nullable Pipeline pipeline;
    private @Nullable Pipeline bare;

    /// No server is there any more once it is done: what is measured is remembered.
    @Setup
    public void compile() throws GeneralSecurityException {
        var provider = BenchmarkProvider.create();
        var services = BenchmarkServices.open(Map.of("GATEWAY_SECRET_BENCH", KnownCaller.SECRET))
                .answering(provider::answer);
        try (var directory = BenchmarkDirectory.open(KnownCaller.SECRET)) {
            pipeline = pipeline(KnownCaller.definition(policy, directory.port()), services);
            bare = pipeline("", services);
            var shown = new ArrayList<>(List.of("Host", "api.example.com"));
            shown.addAll(KnownCaller.credential(policy));
            if (policy.startsWith("oidc")) shown.addAll(new BenchmarkBrowser().logIn(pipeline, provider));
            lines = List.copyOf(shown);
            requirePassage();
        }
        services.silence();
        requirePassage();
    }

    private static Pipeline pipeline(String policies, Services services) {
        String definition = """
                {"id": "orders", "match": {"path": "/orders"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}, "policies": [%s]}""".formatted(policies);
        var api = new DefinitionReader(PolicyRegistry.load()).read(definition);
        return Pipeline.compile(api.id(), api.policies(), (exchange, waiter) -> Response.of(200), services);
    }

    private void requirePassage() {
        Exchange exchange = BenchmarkRequests.of(HEAD, lines);
        int status = run(pipeline, exchange).status();
        if (status != 200) throw new IllegalStateException("expected 200, got " + status);
        String caller = exchange.consumer().map(it -> it.id()).orElse("");
        if (!caller.equals(KnownCaller.id(policy))) throw new IllegalStateException("the caller is \"" + caller + '"');
        String sent = exchange.outgoing().headers().first("Authorization").orElse("");
        if (sent.isEmpty() == KnownCaller.isToldOf(policy)) throw new IllegalStateException("sent on: " + sent);
    }

    @Benchmark
    public Response through() {
        return run(pipeline, BenchmarkRequests.of(HEAD, lines));
    }

    @Benchmark
    public Response without() {
        return run(bare, BenchmarkRequests.of(HEAD, lines));
    }

    private static Response run(@Nullable Pipeline compiled, Exchange exchange) {
        return Objects.requireNonNull(compiled).run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
    }
}
