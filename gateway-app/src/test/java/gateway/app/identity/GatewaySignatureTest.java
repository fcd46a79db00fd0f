package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.policies.identity.MessageSmith;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Signed requests on a whole gateway, and attacks on them as bytes on a socket: attack 41, replays, confused
/// components, labels, algorithms and white space.
@Timeout(120)
final class GatewaySignatureTest {
    private static final MessageSmith SMITH = MessageSmith.of("ed25519");
    private static final String USUAL = "\"@method\" \"@authority\" \"@path\" \"@query\"";

    @TempDir
    private Path data;

    @Test
    void lets_signed_requests_pass_without_their_signature_and_nothing_else() throws Exception {
        try (GuardedGateway gateway = start("")) {
            String good = signed("GET", "/a/%7eb?x=%31", "n0");
            assertThat(status(gateway, good)).isEqualTo(200);
            assertThat(gateway.arrived()).singleElement().asString().doesNotContainIgnoringCase("signature");

            assertThat(status(gateway, good)).as("again").isEqualTo(401);
            int number = 1;
            for (String[] change : new String[][] {
                {"GET /a/%7eb?x=%31", "GET /a/~b?x=%31"}, // what a proxy might make of it
                {"GET /a/%7eb?x=%31", "GET /a/%7Eb?x=%31"},
                {"GET /a/%7eb?x=%31", "GET /a/%7eb?x=1"},
                {"GET /a/%7eb?x=%31", "GET /a/%7eb?x=%31&x=2"},
                {"GET /a/%7eb?x=%31", "GET /a/%7eb"},
                {"GET ", "DELETE "},
                {"Host: api.example.com", "Host: other.example.com"},
                {"Host: api.example.com", "Host: api.example.com:81"},
                {"sig1=(", "sig1=(\"@method\" "}, // a component twice
                {"\"@query\"", "\"@query\" \"x-other\""},
                {"\"@query\"", "\"@query\";x"},
                {"\"@path\" \"@query\"", "\"@query\" \"@path\""},
                {"\"@path\"", "\"@Path\""},
                {"Signature: sig1", "Signature: sig2"},
                {"Signature: sig1", "Signature: sig1=:AAAA:, sig1"},
                {"Signature-Input: sig1", "Signature-Input: sig1=();created=1, sig1"},
                {"Signature: ", "Signature-Input: sig1=()\r\nSignature: "},
                {";keyid=\"ed\"", ";keyid=\"ed\";alg=\"hmac-sha256\""},
                {";keyid=\"ed\"", ";keyid=\"mac\""},
                {";keyid=\"ed\"", ";keyid=\"nobody\""},
                {";keyid=\"ed\"", ";keyid=\"ed\";keyid=\"ed\""},
                {";nonce=", ";x=\"y\";nonce="},
                {";nonce=\"n", ";nonce=\"m"},
                {";created=", ";created=9"},
                {"Signature: ", "X: "},
                {"Signature-Input: ", "X: "}
            }) {
                String bad = signed("GET", "/a/%7eb?x=%31", "n" + number++).replace(change[0], change[1]);
                assertThat(status(gateway, bad)).as(String.join(" to ", change)).isEqualTo(401);
            }
            assertThat(gateway.arrived()).hasSize(1);
        }
    }

    @Test
    void white_space_smuggles_nothing() throws Exception {
        try (GuardedGateway gateway = start("")) {
            String good = signed("GET", "/a", "n1");
            for (String[] change : new String[][] {
                {"Signature-Input: ", "Signature-Input : "},
                {"Signature: ", "Signature:\r\n "},
                {"Signature-Input: ", "Signature-Input: x\r\n "},
                {"Signature-Input: ", " Signature-Input: "},
                {"Signature: ", "Signature\t: "}
            }) {
                assertThat(status(gateway, good.replace(change[0], change[1])))
                        .as(String.join(" to ", change))
                        .isEqualTo(400);
            }
            assertThat(gateway.arrived()).isEmpty();
            assertThat(status(
                            gateway,
                            good.replace("Signature: ", "Signature: \t ").replace(":\r\n", ": \t\r\n")))
                    .isEqualTo(200);
        }
    }

    @Test
    void an_hmac_with_a_public_key_as_its_secret_opens_nothing() throws Exception {
        try (GuardedGateway gateway = start("")) {
            for (String secret : List.of(SMITH.pem(), SMITH.pem().replace("\\n", "\n"))) {
                MessageSmith liar = MessageSmith.sharing("hmac-sha256", secret);
                for (String alg : List.of("", ";alg=\"hmac-sha256\"", ";alg=\"ed25519\"")) {
                    String params = params("ed", "n" + alg.length() + secret.length()) + alg;
                    assertThat(status(gateway, signed(liar, "GET", "/a", params, "", "", "")))
                            .isEqualTo(401);
                }
            }
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void of_many_who_send_one_request_at_once_one_passes() throws Exception {
        try (GuardedGateway gateway = start("")) {
            String one = signed("GET", "/a", "n1");
            var passed = new AtomicInteger();
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 20; i++) {
                threads.add(Thread.startVirtualThread(() -> {
                    if (status(gateway, one) == 200) passed.incrementAndGet();
                }));
            }
            for (Thread each : threads) each.join();

            assertThat(passed).hasValue(1);
            assertThat(gateway.arrived()).hasSize(1);
        }
    }

    @Test
    void bodies_larger_than_those_of_unknown_callers_pass_when_they_are_what_was_signed() throws Exception {
        try (GuardedGateway gateway = start("")) {
            String body = "0123456789".repeat(30_000);
            String digest = MessageSmith.contentDigest("sha-256", body);
            assertThat(status(gateway, withBody("n1", digest, body))).isEqualTo(200);
            assertThat(status(gateway, withBody("n2", digest, body.substring(1) + 'x')))
                    .isEqualTo(401);
            assertThat(status(gateway, withBody("n3", MessageSmith.contentDigest("sha-512", body), body)))
                    .isEqualTo(200);
            assertThat(status(gateway, withBody("n4", "md5=:AAAA:", body))).isEqualTo(401);
            String unsigned = signed(SMITH, "POST", "/a", params("ed", "n5"), "", "", body);
            assertThat(status(gateway, unsigned)).isEqualTo(401);
            assertThat(gateway.arrived()).hasSize(2);
        }
    }

    @Test
    void chunked_bodies_are_compared_without_their_framing() throws Exception {
        try (GuardedGateway gateway = start("")) {
            String digest = MessageSmith.contentDigest("sha-256", "hello");
            for (String[] each : new String[][] {{"n1", "hello", "200"}, {"n2", "hellO", "401"}}) {
                String request = withBody(each[0], digest, each[1])
                        .replace("Content-Length: 5", "Transfer-Encoding: chunked")
                        .replace("\r\n\r\n" + each[1], "\r\n\r\n5\r\n" + each[1] + "\r\n0\r\n\r\n");
                assertThat(status(gateway, request)).isEqualTo(Integer.parseInt(each[2]));
            }
        }
    }

    @Test
    void the_body_of_one_who_cannot_sign_is_not_waited_for() throws Exception {
        try (GuardedGateway gateway = start("");
                var client = new RawClient(gateway.port())) {
            String head = withBody("n1", MessageSmith.contentDigest("sha-256", "x"), "x")
                    .replace("Content-Length: 1", "Content-Length: 1000000")
                    .replace("Signature: sig1=:", "Signature: sig1=:AAAA")
                    .replaceAll("x$", "");

            assertThat(client.send(head).readUntil("\r\n")).startsWith("HTTP/1.1 401 ");
        }
    }

    @Test
    void a_caller_has_the_grants_and_limits_of_the_api_key_that_it_stands_for() throws Exception {
        String own = """
                {"id": "bound", "algorithm": "ed25519", "pem": "%s", "key": "key_partner"},""".formatted(SMITH.pem());
        try (GuardedGateway gateway = start(own)) {
            gateway.admin().call("POST", "/keys", """
                    {"id": "key_partner", "name": "partner", "apis": {"orders": {}},
                     "rateLimit": {"requests": 2, "per": "1h"}}""");
            int number = 1;
            for (int expected : List.of(200, 200, 429)) {
                String request = signed(SMITH, "GET", "/a", params("bound", "n" + number++), "", "", "");
                assertThat(status(gateway, request)).isEqualTo(expected);
            }
        }
    }

    @Test
    void it_may_be_one_of_several() throws Exception {
        String policy = """
                {"type": "any-of", "policies": [
                  {"type": "http-signature", "keys": [{"id": "ed", "algorithm": "ed25519", "pem": "%s"}]},
                  {"type": "key-auth", "header": "X-Api-Key"}]}""".formatted(SMITH.pem());
        try (var gateway = GuardedGateway.start(data, policy, Map.of())) {
            String key = gateway.admin().issue("robot", "orders");
            String plain = "GET /a HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n";
            String body = "hello";

            assertThat(status(gateway, signed("GET", "/a", "n1"))).isEqualTo(200);
            assertThat(status(gateway, withBody("n2", MessageSmith.contentDigest("sha-256", body), body)))
                    .isEqualTo(200);
            assertThat(status(gateway, withBody("n3", MessageSmith.contentDigest("sha-256", "x"), body)))
                    .isEqualTo(401);
            assertThat(status(gateway, plain + "X-Api-Key: " + key + "\r\n\r\n"))
                    .isEqualTo(200);
            assertThat(status(gateway, plain + "X-Api-Key: wrong\r\n\r\n")).isEqualTo(401);
            assertThat(RawClient.exchange(gateway.port(), plain + "\r\n"))
                    .startsWith("HTTP/1.1 401 ")
                    .contains("Signature realm=\"orders\"", "ApiKey realm=\"orders\"");
            String both = signed("GET", "/a", "n4").replace("Connection:", "X-Api-Key: " + key + "\r\nConnection:");
            assertThat(status(gateway, both)).isEqualTo(400);
        }
    }

    private GuardedGateway start(String more) {
        return GuardedGateway.start(
                data, """
                {"type": "http-signature", "once": true, "keys": [%s
                  {"id": "ed", "algorithm": "ed25519", "pem": "%s"},
                  {"id": "mac", "algorithm": "hmac-sha256", "secret": {"env": "GATEWAY_SECRET_MAC"}}]}""".formatted(more, SMITH.pem()), Map.of("GATEWAY_SECRET_MAC", "0123456789abcdef"));
    }

    private static String params(String keyId, String nonce) {
        return ";created=" + Instant.now().getEpochSecond() + ";keyid=\"" + keyId + "\";nonce=\"" + nonce + '"';
    }

    private static String signed(String method, String target, String nonce) {
        return signed(SMITH, method, target, params("ed", nonce), "", "", "");
    }

    private static String withBody(String nonce, String digest, String body) {
        return signed(
                SMITH,
                "POST",
                "/a",
                params("ed", nonce),
                " \"content-digest\"",
                "\"content-digest\": " + digest + "\n",
                "Content-Digest: " + digest + "\r\n",
                body);
    }

    private static String signed(
            MessageSmith smith, String method, String target, String params, String more, String lines, String body) {
        return signed(smith, method, target, params, more, lines, "", body);
    }

    /// @param more components
    /// @param lines of the base for these
    private static String signed(
            MessageSmith smith,
            String method,
            String target,
            String params,
            String more,
            String lines,
            String fields,
            String body) {
        int mark = target.indexOf('?');
        String input = '(' + USUAL + more + ')' + params;
        String base = "\"@method\": " + method + "\n\"@authority\": api.example.com\n\"@path\": "
                + (mark < 0 ? target : target.substring(0, mark)) + "\n\"@query\": "
                + (mark < 0 ? "?" : target.substring(mark)) + '\n' + lines + "\"@signature-params\": " + input;
        return method + ' ' + target + " HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n"
                + (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n") + fields
                + "Signature-Input: sig1=" + input + "\r\nSignature: sig1=:" + smith.sign(base) + ":\r\n\r\n" + body;
    }

    private static int status(GuardedGateway gateway, String request) {
        try {
            String answer = RawClient.exchange(gateway.port(), request);
            return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 ".length() + 3));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void credentials_of_api_keys_sign_and_are_in_the_clear_nowhere() throws Exception {
        String secret = "a-secret-that-both-have";
        String policy = "{\"type\": \"http-signature\", \"keysOf\": \"consumers\"}";
        try (var gateway = GuardedGateway.start(data, policy, Map.of())) {
            String issued = gateway.admin()
                    .call("POST", "/keys", """
                    {"id": "partner", "apis": {"orders": {}}, "rateLimit": {"requests": 3, "per": "1h"}, "credentials": [
                      {"algorithm": "ed25519", "pem": "%s"}, {"algorithm": "hmac-sha256", "secret": "%s"}]}""".formatted(SMITH.pem(), secret))
                    .toString();
            MessageSmith shared = MessageSmith.sharing("hmac-sha256", secret);
            MessageSmith liar = MessageSmith.sharing("hmac-sha256", SMITH.pem().replace("\\n", "\n"));

            assertThat(status(gateway, signed(SMITH, "GET", "/a", params("partner", "n1"), "", "", "")))
                    .isEqualTo(200);
            assertThat(status(gateway, signed(shared, "GET", "/a", params("partner", "n2"), "", "", "")))
                    .isEqualTo(200);
            assertThat(status(gateway, signed(liar, "GET", "/a", params("partner", "n3"), "", "", "")))
                    .isEqualTo(401);
            assertThat(status(gateway, signed(SMITH, "GET", "/a", params("nobody", "n4"), "", "", "")))
                    .isEqualTo(401);
            assertThat(status(gateway, signed(shared, "GET", "/a", params("partner", "n5"), "", "", "")))
                    .isEqualTo(200);
            assertThat(status(gateway, signed(shared, "GET", "/a", params("partner", "n6"), "", "", "")))
                    .isEqualTo(429);

            assertThat(issued + gateway.admin().get("/admin/v1/keys/partner").body())
                    .contains("masked")
                    .doesNotContain(secret);
            try (Stream<Path> files = Files.walk(data)) {
                for (Path each : files.filter(Files::isRegularFile).toList()) {
                    assertThat(Files.readString(each, StandardCharsets.ISO_8859_1))
                            .as(each.toString())
                            .doesNotContain(secret);
                }
            }
        }
        try (var again = GuardedGateway.start(data, policy, Map.of())) {
            MessageSmith shared = MessageSmith.sharing("hmac-sha256", secret);
            assertThat(status(again, signed(shared, "GET", "/a", params("partner", "n7"), "", "", "")))
                    .isEqualTo(200);
        }
    }
}
