package gateway.jmh;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Body;
import gateway.http.ClientFacts;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.PathPattern;
import gateway.http.RequestHead;
import gateway.http.Response;
import gateway.http.RouteFacts;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
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

/// What it costs to look through JSON in which nothing is suspicious, by its size and the number of rules.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ContentFilterBenchmark {
    private static final ClientFacts CLIENT = ClientFacts.at(InetAddress.getLoopbackAddress());
    private static final RouteFacts ROUTE = RouteFacts.of("api-0", PathPattern.of("/orders"));

    /// What lies in each line: of `plain` no literal of any set, of `english` those that English has.
    @Param({"plain", "english"})
    String text = "plain";

    @Param({"1024", "5120", "51200"})
    int bytes = 1024;

    /// Besides the sets: expressions, each with a literal of its own.
    @Param({"0", "10", "50"})
    int rules = 10;

    private byte[] body = new byte[0];
    private @Nullable Pipeline pipeline;

    @Setup
    public void compile() {
        boolean plain = text.equals("plain");
        String name = plain ? "Garden chair, oak, foldable" : "Chair and table for O'Brien; 100% oak";
        String line = """
                {"sku": "A-1042", "name": "%s", "quantity": 2, "price": 49.90}""".formatted(name);
        var lines = new StringBuilder("{\"lines\": [").append(line);
        while (lines.length() < bytes) lines.append(", ").append(line);
        body = lines.append("]}").toString().getBytes(StandardCharsets.UTF_8);
        var policy = new StringBuilder("{\"type\": \"content-filter\", \"rules\": [");
        for (String set : new String[] {"sql-injection", "cross-site-scripting", "path-traversal", "command-injection"})
            policy.append("{\"name\": \"%s\", \"set\": \"%s\"},".formatted(set, set));
        for (int i = 0; i < rules; i++)
            policy.append("{\"name\": \"r%d\", \"regex\": \"internal-%d[a-z]+\"},".formatted(i, i));
        policy.append("{\"name\": \"jndi\", \"set\": \"jndi\"}]}");
        ConfigNode node = ConfigNode.parse("""
                {"id": "api-0", "match": {"path": "/orders"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}}""".formatted(policy));
        var api = new DefinitionReader(PolicyRegistry.load()).read(node);
        node.throwIfInvalid();
        pipeline = Pipeline.compile(
                api.id(), api.policies(), (exchange, waiter) -> Response.of(200), BenchmarkServices.open());
    }

    @Benchmark
    public Response look() {
        Headers headers = Headers.create();
        headers.add("Content-Type", "application/json");
        var head = new RequestHead("POST", "http", "api.example.com", "/orders", "/orders", "");
        var exchange = new Exchange("benchmark", head, CLIENT, ROUTE, headers, Body.of(body), Long.MAX_VALUE, null);
        Response response = Objects.requireNonNull(pipeline).run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
        if (response.status() != 200) throw new IllegalStateException("answered " + response.status());
        return response;
    }
}
