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
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
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

/// What policies that look at callers cost a request whose answer is remembered or which a secret verifies, its
/// exchange and response included: the policies that `perf/load/policies.py` measures by whole processes.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CallerBenchmark {
    private static final String SECRET = "only-for-the-benchmark-and-nothing-else-at-all";
    private static final Map<String, String> POLICIES =
            Map.of("none", "", "jwt", """
            {"type": "jwt", "issuers": [{"name": "bench", "secret": {"env": "GATEWAY_SECRET_BENCH"},
             "algorithms": ["HS256"], "audiences": ["orders"]}]}""", "http-signature", """
            {"type": "http-signature", "cover": ["@method", "@path"], "maxAge": "1h",
             "keys": [{"id": "bench", "algorithm": "hmac-sha256", "secret": {"env": "GATEWAY_SECRET_BENCH"}}]}""", "api-call", """
            {"type": "api-call", "name": "profile", "url": "http://127.0.0.1:9001/profile",
             "cache": {"for": "5m"}, "take": {"header.X-Time": "/time"}}""");
    private static final ClientFacts CLIENT = ClientFacts.at(InetAddress.getLoopbackAddress());
    private static final RouteFacts ROUTE = RouteFacts.of("orders", PathPattern.of("/orders"));
    private static final RequestHead HEAD =
            new RequestHead("GET", "http", "api.example.com", "/orders/7", "/orders/7", "");

    @Param({"none", "jwt", "http-signature", "api-call"})
    String policy = "none";

    private Map<String, String> credential = Map.of();
    private @Nullable Pipeline pipeline;

    @Setup
    public void compile() throws GeneralSecurityException {
        var services = BenchmarkServices.open(Map.of("GATEWAY_SECRET_BENCH", SECRET))
                .answering("{\"time\": \"2026-11-26T12:00:00Z\", \"plan\": \"gold\"}");
        String definition = """
                {"id": "orders", "match": {"path": "/orders"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}, "policies": [%s]}""".formatted(POLICIES.get(policy));
        var api = new DefinitionReader(PolicyRegistry.load()).read(definition);
        credential = credential();
        pipeline = Pipeline.compile(api.id(), api.policies(), (exchange, waiter) -> Response.of(200), services);
        if (through().status() != 200) throw new IllegalStateException("the request is refused");
    }

    private Map<String, String> credential() throws GeneralSecurityException {
        long now = Instant.now().getEpochSecond();
        if (policy.equals("jwt")) {
            String signed = url("{\"alg\":\"HS256\"}".getBytes(StandardCharsets.US_ASCII))
                    + '.'
                    + url(("{\"sub\":\"bench\",\"aud\":\"orders\",\"exp\":" + (now + 86_400) + '}')
                            .getBytes(StandardCharsets.US_ASCII));
            return Map.of("Authorization", "Bearer " + signed + '.' + url(keyed(signed)));
        }
        if (!policy.equals("http-signature")) return Map.of();
        String input = "(\"@method\" \"@path\");created=" + now + ";keyid=\"bench\"";
        String base = "\"@method\": GET\n\"@path\": /orders/7\n\"@signature-params\": " + input;
        var fields = new LinkedHashMap<String, String>();
        fields.put("Signature-Input", "bench=" + input);
        fields.put("Signature", "bench=:" + Base64.getEncoder().encodeToString(keyed(base)) + ':');
        return fields;
    }

    private static byte[] keyed(String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String url(byte[] content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(content);
    }

    @Benchmark
    public Response through() {
        Headers headers = Headers.create();
        headers.add("Host", "api.example.com");
        credential.forEach(headers::add);
        var exchange = new Exchange("1", HEAD, CLIENT, ROUTE, headers, Body.EMPTY, Long.MAX_VALUE, null);
        return Objects.requireNonNull(pipeline).run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
    }
}
