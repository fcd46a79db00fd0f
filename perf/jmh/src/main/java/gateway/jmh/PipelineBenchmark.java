package gateway.jmh;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Body;
import gateway.http.ClientFacts;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Outcome;
import gateway.http.PathPattern;
import gateway.http.RequestHead;
import gateway.http.Response;
import gateway.http.RouteFacts;
import gateway.http.UpstreamWaiter;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

/// What the steps of a pipeline cost a request, its exchange and response included, the upstream left out.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PipelineBenchmark {
    private static final ClientFacts CLIENT = ClientFacts.at(InetAddress.getLoopbackAddress());
    private static final RouteFacts ROUTE = RouteFacts.of("api-0", PathPattern.of("/orders"));
    private static final Outcome OUTCOME = new Outcome(200, Outcome.Ending.COMPLETE, 1, 2);

    /// `none`; `six`: six that decide on the request alone; `limits`: key, rate limit and quota on the embedded store.
    @Param({"none", "six", "limits"})
    String policies = "none";

    private String secret = "";
    private @Nullable Pipeline pipeline;

    @Setup
    public void compile() {
        var services = BenchmarkServices.open();
        var api = new DefinitionReader(PolicyRegistry.load()).read(BenchmarkDefinitions.single(policies));
        var key = new ApiKey(
                "key_bench",
                "bench",
                true,
                Optional.empty(),
                Map.of("api-0", ApiGrant.WHOLE),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of("plan", "gold"));
        secret = services.keys().issue(key).secret().reveal();
        pipeline = Pipeline.compile(api.id(), api.policies(), (exchange, waiter) -> Response.of(200), services);
    }

    /// A `GET /orders/items/7` with a key.
    private Exchange exchange() {
        Headers headers = Headers.create();
        headers.add("Host", "api.example.com");
        headers.add("Authorization", secret);
        var head = new RequestHead("GET", "http", "api.example.com", "/orders/items/7", "/orders/items/7", "");
        return new Exchange("benchmark", head, CLIENT, ROUTE, headers, Body.EMPTY, Long.MAX_VALUE, null);
    }

    @Benchmark
    public Response walk() {
        var pipelineRun = new PipelineRun(UpstreamWaiter.NOBODY);
        Response response = Objects.requireNonNull(pipeline).run(exchange(), pipelineRun);
        if (response.status() != 200) throw new IllegalStateException("answered " + response.status());
        pipelineRun.end(OUTCOME);
        return response;
    }
}
