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
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
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

/// What policies cost whose work does not depend on a size: the exchange, the answer, and the reading of a small body
/// by those that look at one included, as `none` and `none-post` have them. The others are in [CallerBenchmark],
/// [MessageBenchmark], [ContentFilterBenchmark] and [JoseBenchmark].
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PolicyBenchmark {
    private static final ClientFacts CLIENT = ClientFacts.at(InetAddress.getLoopbackAddress());
    private static final RouteFacts ROUTE = RouteFacts.of("orders", PathPattern.of("/orders"));
    private static final String ORDER = """
            {"query": "query Order($id: ID!) { order(id: $id) { id items { sku price } } }", "variables": {"id": "7"}}""";

    private static final Map<String, String> DEFINITIONS = Map.ofEntries(
            Map.entry("none", ""),
            Map.entry("none-post", ""),
            Map.entry("authorize", """
                    {"type": "authorize", "rules": [{"paths": ["/admin"], "tags": ["admin"]}], "otherwise": "allow"}"""),
            Map.entry("ban", "{\"type\": \"ban\", \"failures\": 20, \"per\": \"1m\", \"for\": \"10m\"}"),
            Map.entry("concurrency-limit", "{\"type\": \"concurrency-limit\", \"requests\": 10, \"by\": \"ip\"}"),
            Map.entry("csrf", "{\"type\": \"csrf\", \"origins\": [\"https://app.example.com\"]}"),
            Map.entry("graphql-guard", "{\"type\": \"graphql-guard\", \"depth\": 10, \"fields\": 300}"),
            Map.entry("headers", """
                    {"type": "headers", "request": {"set": {"X-Api": "{api.id}"}, "remove": ["X-Debug"]}}"""),
            Map.entry("ip-filter", "{\"type\": \"ip-filter\", \"allow\": [\"10.0.0.0/8\", \"127.0.0.0/8\"]}"),
            Map.entry("maintenance", "{\"type\": \"maintenance\", \"from\": \"2126-01-01T00:00:00Z\"}"),
            Map.entry("mock-response", "{\"type\": \"mock-response\", \"status\": 200, \"json\": {\"items\": []}}"),
            Map.entry("mock-response-template", """
                    {"type": "mock-response", "template": true, "json": {"at": "{request.host}"}}"""),
            Map.entry("path-rules", "{\"type\": \"path-rules\", \"block\": [{\"path\": \"/admin\"}]}"),
            Map.entry("redirect", """
                    {"type": "redirect", "status": 308, "to": "https://{request.host}/new{request.path}"}"""),
            Map.entry("request-size-limit", "{\"type\": \"request-size-limit\", \"max\": \"64KiB\"}"),
            Map.entry("rewrite", """
                    {"type": "rewrite", "path": {"regex": "/orders/(.*)", "to": "/api/$1"}}"""),
            Map.entry("tag", """
                    {"type": "tag", "set": {"var.client": "{request.header.X-Client}"}, "record": ["var.client"]}"""),
            Map.entry("webhook-verify", """
                    {"type": "webhook-verify", "form": "github", "secrets": [{"env": "GATEWAY_SECRET_BENCH"}]}"""));

    @Param({
        "none",
        "none-post",
        "authorize",
        "ban",
        "concurrency-limit",
        "csrf",
        "graphql-guard",
        "headers",
        "ip-filter",
        "maintenance",
        "mock-response",
        "mock-response-template",
        "path-rules",
        "redirect",
        "request-size-limit",
        "rewrite",
        "tag",
        "webhook-verify"
    })
    String policy = "none";

    private final byte[] order = ORDER.getBytes(StandardCharsets.UTF_8);
    private boolean posts;
    private List<String> lines = List.of();
    private @Nullable Pipeline pipeline;

    @Setup
    public void compile() throws GeneralSecurityException {
        posts = List.of("none-post", "csrf", "graphql-guard", "webhook-verify").contains(policy);
        lines = posts
                ? List.of(
                        "Host", "api.example.com",
                        "Content-Type", "application/json",
                        "Origin", "https://app.example.com",
                        "X-Hub-Signature-256", "sha256=" + HexFormat.of().formatHex(KnownCaller.keyed(ORDER)))
                : List.of("Host", "api.example.com", "X-Client", "shop");
        String definition = """
                {"id": "orders", "match": {"path": "/orders"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}}""".formatted(DEFINITIONS.get(policy));
        var services = BenchmarkServices.open(Map.of("GATEWAY_SECRET_BENCH", KnownCaller.SECRET));
        var api = new DefinitionReader(PolicyRegistry.load()).read(definition);
        pipeline = Pipeline.compile(api.id(), api.policies(), (exchange, waiter) -> Response.of(200), services);
    }

    @Benchmark
    public Response through() {
        String path = BenchmarkRequests.PATH;
        var head = new RequestHead(posts ? "POST" : "GET", "https", "api.example.com", path, path, "");
        Body body = posts ? Body.of(order) : Body.EMPTY;
        var exchange = new Exchange("1", head, CLIENT, ROUTE, Headers.ofLines(lines), body, Long.MAX_VALUE, null);
        var run = new PipelineRun(UpstreamWaiter.NOBODY);
        Response response = Objects.requireNonNull(pipeline).run(exchange, run);
        run.end(new Outcome(response.status(), Outcome.Ending.COMPLETE, 0, 0));
        if (response.status() != (policy.equals("redirect") ? 308 : 200))
            throw new IllegalStateException(policy + " answered " + response.status());
        return response;
    }
}
