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
import gateway.policy.Services;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
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

/// What `jose` costs a message, its exchange and response included: opened as a request, closed as an answer.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class JoseBenchmark {
    private static final ClientFacts CLIENT = ClientFacts.at(InetAddress.getLoopbackAddress());
    private static final RouteFacts ROUTE = RouteFacts.of("orders", PathPattern.of("/orders"));
    private static final String LINE = """
            {"sku": "A-1042", "name": "Garden chair, oak, foldable", "quantity": 2, "price": 49.90}""";
    private static final String OURS = "{\"env\": \"GATEWAY_SECRET_OURS\"}";

    @Param({"ES256", "RS256", "ECDH-ES", "RSA-OAEP-256"})
    String algorithm = "ES256";

    @Param({"1024", "5120", "51200"})
    int bytes = 1024;

    @Param({"open", "close"})
    String way = "open";

    /// Whose signatures; each runs in a process of its own.
    @Param({"native", "jdk"})
    String cryptography = "native";

    private Response plain = Response.of(200);
    private byte[] closed = new byte[0];
    private @Nullable Pipeline opening;
    private @Nullable Pipeline closing;

    @Setup
    public void compile() throws GeneralSecurityException {
        System.setProperty("gateway.cryptography", cryptography);
        var generator = KeyPairGenerator.getInstance(algorithm.startsWith("R") ? "RSA" : "EC");
        generator.initialize(algorithm.startsWith("R") ? 2048 : 256);
        KeyPair pair = generator.generateKeyPair();
        Services services = BenchmarkServices.open(Map.of(
                "GATEWAY_SECRET_OURS", pem("PRIVATE KEY", pair.getPrivate().getEncoded())));
        String published = pem("PUBLIC KEY", pair.getPublic().getEncoded()).replace("\n", "\\n");
        boolean signs = algorithm.endsWith("256") && !algorithm.startsWith("RSA");
        String open = signs
                ? "{\"verify\": {\"algorithms\": [\"%s\"], \"pem\": \"%s\"}}".formatted(algorithm, published)
                : "{\"decrypt\": {\"algorithms\": [\"%s\"], \"keys\": %s}}".formatted(algorithm, OURS);
        String close = signs
                ? "{\"sign\": {\"algorithm\": \"%s\", \"key\": %s}}".formatted(algorithm, OURS)
                : "{\"encrypt\": {\"algorithm\": \"%s\", \"pem\": \"%s\"}}".formatted(algorithm, published);
        opening = pipeline("request", open, services);
        closing = pipeline("response", close, services);
        var lines = new StringBuilder("{\"lines\": [").append(LINE);
        while (lines.length() < bytes) lines.append(", ").append(LINE);
        plain = Response.of(
                200, "application/json", lines.append("]}").toString().getBytes(StandardCharsets.UTF_8));
        closed = run(closing, "GET", Body.EMPTY).body().bytes(Integer.MAX_VALUE);
    }

    private static String pem(String label, byte[] encoded) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label);
    }

    private Pipeline pipeline(String side, String step, Services services) {
        ConfigNode node = ConfigNode.parse("""
                {"id": "orders", "match": {"path": "/orders"}, "policies": [{"type": "jose", "%s": [%s]}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}}""".formatted(side, step));
        var api = new DefinitionReader(PolicyRegistry.load()).read(node);
        node.throwIfInvalid();
        return Pipeline.compile(api.id(), api.policies(), (exchange, waiter) -> answer(), services);
    }

    private Response answer() {
        Response answer = new Response(200, Headers.create(), plain.body());
        return answer.with("Content-Type", "application/json");
    }

    @Benchmark
    public Response through() {
        return way.equals("open") ? run(opening, "POST", Body.of(closed)) : run(closing, "GET", Body.EMPTY);
    }

    private static Response run(@Nullable Pipeline pipeline, String method, Body body) {
        var head = new RequestHead(method, "http", "api.example.com", "/orders", "/orders", "");
        var exchange = new Exchange("1", head, CLIENT, ROUTE, Headers.create(), body, Long.MAX_VALUE, null);
        Response response = Objects.requireNonNull(pipeline).run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
        if (response.status() != 200) throw new IllegalStateException("answered " + response.status());
        return response;
    }
}
