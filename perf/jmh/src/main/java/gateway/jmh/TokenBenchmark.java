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
import gateway.json.Json;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
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

/// What `jwt` costs a request, its exchange and response included: a token that is remembered, and one that is verified
/// each time.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TokenBenchmark {
    private static final ClientFacts CLIENT = ClientFacts.at(InetAddress.getLoopbackAddress());
    private static final RouteFacts ROUTE = RouteFacts.of("orders", PathPattern.of("/orders"));

    @Param({"RS256", "ES256", "EdDSA"})
    String algorithm = "RS256";

    /// `0s`: nothing is remembered.
    @Param({"5m", "0s"})
    String cacheFor = "5m";

    /// Whose signatures; each runs in a process of its own.
    @Param({"native", "jdk"})
    String cryptography = "native";

    private String token = "";
    private @Nullable Pipeline pipeline;

    @Setup
    public void compile() throws GeneralSecurityException {
        System.setProperty("gateway.cryptography", cryptography);
        KeyPair pair = pair();
        token = "Bearer " + token(pair);
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(pair.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        var definition = Json.mapper().createObjectNode().put("id", "orders");
        definition.putObject("match").put("path", "/orders");
        definition.putObject("upstream").putArray("targets").addObject().put("url", "http://127.0.0.1:9001");
        var policy =
                definition.putArray("policies").addObject().put("type", "jwt").put("cacheFor", cacheFor);
        var issuer = policy.putArray("issuers").addObject().put("name", "bench").put("pem", pem);
        issuer.putArray("algorithms").add(algorithm);
        issuer.putArray("audiences").add("orders");
        var api = new DefinitionReader(PolicyRegistry.load()).read(Json.compact(definition));
        pipeline = Pipeline.compile(
                api.id(), api.policies(), (exchange, waiter) -> Response.of(200), BenchmarkServices.open());
        if (through().status() != 200) throw new IllegalStateException("the token is refused");
    }

    private KeyPair pair() throws GeneralSecurityException {
        return switch (algorithm) {
            case "RS256" -> generated("RSA", 2048);
            case "ES256" -> generated("EC", 256);
            default -> KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        };
    }

    private static KeyPair generated(String kind, int bits) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance(kind);
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    private String token(KeyPair pair) throws GeneralSecurityException {
        long end = Instant.now().plusSeconds(86_400).getEpochSecond();
        String signed = text("{\"alg\":\"" + algorithm + "\",\"typ\":\"at+jwt\"}")
                + '.'
                + text("{\"iss\":\"https://id.example.com\",\"sub\":\"4f1d2c\",\"aud\":\"orders\",\"exp\":" + end
                        + ",\"scope\":\"orders.read orders.write\",\"tenant\":\"gold\",\"client_id\":\"caller\"}");
        Signature signature = Signature.getInstance(
                switch (algorithm) {
                    case "RS256" -> "SHA256withRSA";
                    case "ES256" -> "SHA256withECDSAinP1363Format";
                    default -> "Ed25519";
                });
        signature.initSign(pair.getPrivate());
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + '.' + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    }

    private static String text(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Benchmark
    public Response through() {
        Headers headers = Headers.create();
        headers.add("Host", "api.example.com");
        headers.add("Authorization", token);
        var head = new RequestHead("GET", "http", "api.example.com", "/orders/7", "/orders/7", "");
        var exchange = new Exchange("1", head, CLIENT, ROUTE, headers, Body.EMPTY, Long.MAX_VALUE, null);
        return Objects.requireNonNull(pipeline).run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
    }
}
