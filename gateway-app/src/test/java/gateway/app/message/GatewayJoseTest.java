package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDHDecrypter;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.sun.net.httpserver.HttpServer;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Signed messages over sockets: what the upstream gets, and what the client.
final class GatewayJoseTest {
    private static final String SECRET = "a secret of both, as long as it has to be";
    private static final String KEY = "\"secret\": {\"env\": \"GATEWAY_SECRET_BOTH\"}";
    private static final String ORDER = "{\"id\":7}";
    private static final String VERIFY = "{\"verify\": {\"algorithms\": [\"HS256\"], " + KEY + "}}";
    private static final String SIGN =
            "{\"sign\": {\"algorithm\": \"HS256\", \"key\": {\"env\": \"GATEWAY_SECRET_BOTH\"}}}";

    @TempDir
    private Path data;

    @Test
    void a_request_that_is_signed_goes_on_opened_and_any_other_does_not() throws Exception {
        try (var gateway = start("{\"type\": \"jose\", \"request\": [" + VERIFY + "]}")) {
            String signed = signed(ORDER);

            assertThat(status(gateway.post("Content-Type: application/jose", signed.getBytes(UTF_8))))
                    .isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(ORDER);
            byte[] packed = gzip(signed.getBytes(UTF_8));
            assertThat(status(gateway.post("Content-Encoding: gzip", packed))).isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(ORDER);

            for (String other : List.of(ORDER, signed + "x", signed.replace('.', ','), "")) {
                String answer = gateway.post("Content-Type: application/jose", other.getBytes(UTF_8));

                assertThat(answer).startsWith("HTTP/1.1 401 ").contains("urn:gateway:problem:unauthenticated");
                assertThat(answer).containsIgnoringCase("WWW-Authenticate: JOSE realm=\"orders\"");
            }
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void an_answer_is_signed_behind_what_else_is_done_to_it() throws Exception {
        try (var gateway = start("{\"type\": \"jose\", \"response\": [" + SIGN + "]},"
                + "{\"type\": \"headers\", \"response\": {\"set\": {\"X-Later\": \"yes\"}}}")) {
            gateway.answers("Content-Type: application/json\nETag: \"1\"", ORDER.getBytes(UTF_8));

            String answer = RawClient.exchange(
                    gateway.port(), "GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=0-2\r\nConnection: close\r\n\r\n");

            String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            assertThat(new String(Base64.getUrlDecoder().decode(body.split("\\.", -1)[1]), UTF_8))
                    .isEqualTo(ORDER);
            assertThat(answer)
                    .containsIgnoringCase("Content-Type: application/jose\r\n")
                    .doesNotContain("ETag");
            assertThat(answer).containsIgnoringCase("Content-Length: " + body.length() + "\r\n");
        }
    }

    @Test
    void what_looks_at_messages_sees_them_open_though_it_stands_in_front() throws Exception {
        String rules = "\"rules\": [{\"name\": \"%s\", \"in\": [\"body\"], \"words\": [\"%s\"], \"action\": \"%s\"}]}";
        try (var gateway =
                start(("{\"type\": \"content-filter\", \"id\": \"in\", " + rules).formatted("bomb", "bomb", "refuse")
                        + ",{\"type\": \"content-filter\", \"id\": \"out\", \"on\": \"response\", "
                        + rules.formatted("name", "alice", "mask")
                        + ",{\"type\": \"jose\", \"request\": [%s], \"response\": [%s]}".formatted(VERIFY, SIGN))) {
            gateway.answers("Content-Type: application/json", "{\"who\":\"alice\"}".getBytes(UTF_8));

            String refused = gateway.post(
                    "Content-Type: application/jose",
                    signed("{\"id\":\"bomb\"}").getBytes(UTF_8));
            String answer =
                    gateway.post("Content-Type: application/jose", signed(ORDER).getBytes(UTF_8));

            assertThat(status(refused)).isEqualTo(403);
            String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            assertThat(new String(Base64.getUrlDecoder().decode(body.split("\\.", -1)[1]), UTF_8))
                    .isEqualTo("{\"who\":\"***\"}");
        }
    }

    @Test
    void what_goes_to_an_upstream_is_signed_and_what_comes_from_it_verified() throws Exception {
        try (var gateway = start("{\"type\": \"jose\", \"stage\": \"upstream\", \"request\": [%s], \"response\": [%s]}"
                .formatted(SIGN, VERIFY))) {
            gateway.answers(
                    "Content-Type: application/jose", signed("{\"id\":8}").getBytes(UTF_8));

            String answer = gateway.postJson(ORDER);

            assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n{\"id\":8}");
            assertThat(gateway.arrived())
                    .singleElement()
                    .satisfies(body -> assertThat(
                                    new String(Base64.getUrlDecoder().decode(body.split("\\.", -1)[1]), ISO_8859_1))
                            .isEqualTo(ORDER));

            gateway.answers("Content-Type: application/json", "{\"id\":9}".getBytes(UTF_8));
            String refused = gateway.postJson(ORDER);
            assertThat(refused)
                    .startsWith("HTTP/1.1 502 ")
                    .contains("response-refused")
                    .doesNotContain("9}");
        }
    }

    /// The example of the how-to, with a secret of both in the place of keys.
    @Test
    void what_the_howto_says_of_a_bank_holds_for_requests_with_and_without_content() throws Exception {
        String howto = Files.readString(Path.of("../docs/howto/sign-and-encrypt-with-partners.md"));
        String bank = howto.substring(howto.indexOf("to the bank"), howto.indexOf("No `when` is needed"));
        String policies = bank.substring(bank.indexOf("```json") + 7, bank.lastIndexOf("```"))
                .replace("\"key\": {\"secret\": \"sign.jwk\"}", "\"key\": {\"env\": \"GATEWAY_SECRET_BOTH\"}")
                .replace("\"jwks\": \"https://bank.example/keys\"", KEY)
                .replace("ES256", "HS256")
                .replace("PS256", "HS256");
        try (var gateway = start(policies)) {
            gateway.answers("x-jws-signature: " + detached("{\"id\":8}"), "{\"id\":8}".getBytes(UTF_8));

            assertThat(gateway.postJson(ORDER)).startsWith("HTTP/1.1 200 ").endsWith("{\"id\":8}");
            assertThat(sent(gateway, "GET")).startsWith("HTTP/1.1 200 ").endsWith("{\"id\":8}");
            assertThat(sent(gateway, "DELETE")).startsWith("HTTP/1.1 200 ").endsWith("{\"id\":8}");

            gateway.answers("Content-Type: application/json", "{\"id\":9}".getBytes(UTF_8));
            assertThat(gateway.postJson(ORDER)).startsWith("HTTP/1.1 502 ");
            assertThat(sent(gateway, "GET")).startsWith("HTTP/1.1 502 ").doesNotContain("9}");
        }
    }

    private static String sent(MessageGateway gateway, String method) throws IOException {
        return RawClient.exchange(gateway.port(), method + " / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    }

    private static String detached(String payload) throws Exception {
        String[] parts = signed(payload).split("\\.", -1);
        return parts[0] + ".." + parts[2];
    }

    @Test
    void a_stream_without_an_end_is_refused_where_it_had_to_be_signed() throws Exception {
        try (var gateway = start("{\"type\": \"jose\", \"response\": [" + SIGN + "]}")) {
            gateway.answers("Content-Type: text/event-stream", "data: x\n\n".getBytes(UTF_8));

            assertThat(status(gateway.postJson("{}"))).isEqualTo(502);
        }
    }

    @Test
    void keys_of_signers_and_recipients_are_fetched_and_their_server_s_outage_is_no_refusal() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("partner").generate();
        HttpServer server =
                server("{\"keys\": [%s]}".formatted(key.toPublicJWK().toJSONString()));
        String url = "http://127.0.0.1:%d/keys".formatted(server.getAddress().getPort());
        try (var gateway = start("""
                {"type": "jose", "request": [{"verify": {"jwks": "%1$s", "algorithms": ["ES256"]}}],
                 "response": [{"encrypt": {"jwks": "%1$s", "algorithm": "ECDH-ES"}}], "timeout": "30s"}""".formatted(url))) {
            gateway.answers("Content-Type: application/json", ORDER.getBytes(UTF_8));
            var signed = new JWSObject(
                    new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("partner").build(), new Payload(ORDER));
            signed.sign(new ECDSASigner(key));

            String answer = gateway.post("", signed.serialize().getBytes(UTF_8));

            assertThat(status(answer)).as(answer).isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(ORDER);
            var closed = JWEObject.parse(answer.substring(answer.indexOf("\r\n\r\n") + 4));
            closed.decrypt(new ECDHDecrypter(key));
            assertThat(closed.getPayload()).hasToString(ORDER);
            assertThat(closed.getHeader().getKeyID()).isEqualTo("partner");
        } finally {
            server.stop(0);
        }
        try (var gateway = MessageGateway.start(
                data.resolve("away"),
                "{\"type\": \"jose\", \"request\": [{\"verify\": {\"jwks\": \"%s\", \"algorithms\": [\"ES256\"]}}]}"
                        .formatted(url),
                Map.of())) {
            String header = encoded("{\"alg\":\"ES256\"}".getBytes(UTF_8));

            assertThat(status(gateway.post("", (header + ".e30.AAAA").getBytes(UTF_8))))
                    .isEqualTo(503);
        }
    }

    private static HttpServer server(String keys) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/keys", exchange -> {
            try (exchange) {
                byte[] content = keys.getBytes(UTF_8);
                exchange.sendResponseHeaders(200, content.length);
                exchange.getResponseBody().write(content);
            }
        });
        server.start();
        return server;
    }

    private MessageGateway start(String policies) {
        return MessageGateway.start(data, policies, Map.of("GATEWAY_SECRET_BOTH", SECRET));
    }

    private static String signed(String payload) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
        String input = encoded("{\"alg\":\"HS256\"}".getBytes(UTF_8)) + '.' + encoded(payload.getBytes(UTF_8));
        return input + '.' + encoded(mac.doFinal(input.getBytes(UTF_8)));
    }

    private static String encoded(byte[] content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(content);
    }
}
