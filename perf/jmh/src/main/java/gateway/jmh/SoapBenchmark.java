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
import gateway.json.Json;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.Services;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
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

/// What `ws-security` costs a SOAP message by its size, with an RSA key of 2,048 bits: signed, verified, encrypted and
/// decrypted, each with the timestamp that it is made with; exchange and hand-over to a worker included.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SoapBenchmark {
    private static final ClientFacts CLIENT = ClientFacts.at(InetAddress.getLoopbackAddress());
    private static final RouteFacts ROUTE = RouteFacts.of("orders", PathPattern.of("/orders"));
    private static final String LINE = "<line><sku>A-1042</sku><name>Garden chair, oak, foldable</name>"
            + "<quantity>2</quantity><price>49.90</price></line>";
    private static final String OURS = "{\"env\": \"GATEWAY_SECRET_OURS\"}";

    @Param({"sign", "verify", "encrypt", "decrypt"})
    String step = "sign";

    @Param({"1024", "5120", "51200"})
    int bytes = 1024;

    private byte[] message = new byte[0];
    private byte[] sent = new byte[0];
    private @Nullable Pipeline pipeline;

    @Setup
    public void compile() throws GeneralSecurityException, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("gateway-benchmark");
        KeyStore store = made(folder.resolve("keys.p12"));
        String key = pem(
                "PRIVATE KEY", store.getKey("ours", "password".toCharArray()).getEncoded());
        String certificate = pem("CERTIFICATE", store.getCertificate("ours").getEncoded());
        Services services = BenchmarkServices.open(Map.of("GATEWAY_SECRET_OURS", key + certificate));
        String published = Json.mapper().writeValueAsString(certificate);
        Pipeline signs = pipeline("{\"add-timestamp\": {}}, {\"sign\": {\"key\": %s}}".formatted(OURS), services);
        Pipeline closes = pipeline("{\"encrypt\": {\"certificate\": %s}}".formatted(published), services);
        message = plain();
        switch (step) {
            case "sign" -> pipeline = signs;
            case "encrypt" -> pipeline = closes;
            case "verify" -> {
                run(signs);
                message = sent;
                pipeline = pipeline("{\"verify\": {\"trust\": {\"certificates\": %s}}}".formatted(published), services);
            }
            default -> {
                run(closes);
                message = sent;
                pipeline = pipeline("{\"decrypt\": {\"key\": %s}}".formatted(OURS), services);
            }
        }
    }

    private static KeyStore made(Path file) throws GeneralSecurityException, IOException, InterruptedException {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        int ended = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-alias",
                        "ours",
                        "-dname",
                        "CN=ours",
                        "-validity",
                        "3650",
                        "-storepass",
                        "password",
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (ended != 0) throw new IllegalStateException("keytool ended with " + ended);
        return KeyStore.getInstance(file.toFile(), "password".toCharArray());
    }

    private static String pem(String label, byte[] encoded) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label);
    }

    private byte[] plain() {
        var text = new StringBuilder("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
                + "<order xmlns=\"urn:orders\">");
        while (text.length() < bytes) text.append(LINE);
        return text.append("</order></s:Body></s:Envelope>").toString().getBytes(StandardCharsets.UTF_8);
    }

    private Pipeline pipeline(String steps, Services services) {
        ConfigNode node = ConfigNode.parse("""
                {"id": "orders", "match": {"path": "/orders"},
                 "policies": [{"type": "ws-security", "stage": "upstream", "maxBody": "1MiB", "request": [%s]}],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}}""".formatted(steps));
        var api = new DefinitionReader(PolicyRegistry.load()).read(node);
        node.throwIfInvalid();
        return Pipeline.compile(api.id(), api.policies(), (exchange, waiter) -> taken(exchange), services);
    }

    private Response taken(Exchange exchange) {
        sent = exchange.outgoing().body().bytes(Integer.MAX_VALUE);
        return Response.of(200);
    }

    @Benchmark
    public Response through() {
        return run(pipeline);
    }

    private Response run(@Nullable Pipeline through) {
        Headers headers = Headers.create();
        headers.add("Content-Type", "text/xml; charset=utf-8");
        var head = new RequestHead("POST", "http", "api.example.com", "/orders", "/orders", "");
        var exchange = new Exchange("1", head, CLIENT, ROUTE, headers, Body.of(message), Long.MAX_VALUE, null);
        Response response = Objects.requireNonNull(through).run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
        if (response.status() != 200)
            throw new IllegalStateException(
                    "answered " + new String(response.body().bytes(4096), StandardCharsets.UTF_8));
        return response;
    }
}
