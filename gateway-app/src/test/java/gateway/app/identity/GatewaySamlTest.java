package gateway.app.identity;

import static gateway.http.Gzip.gzip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.Json;
import gateway.policies.identity.SamlAttacks;
import gateway.policies.identity.SamlSmith;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Assertions on a whole gateway: what its upstream got of good ones and of attacks.
@Timeout(90)
final class GatewaySamlTest {
    private static final SamlSmith ISSUER = SamlSmith.rsa(2048);
    private static final SamlSmith STRANGER = SamlSmith.rsa(2048);
    private static final String FORM = "application/x-www-form-urlencoded";

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void stop() {
        client.close();
    }

    @Test
    void a_soap_message_passes_once_and_without_its_assertion() throws Exception {
        try (var gateway = start("soap-header", "\"remove\": true")) {
            String envelope = SamlSmith.envelope(signed("first"));

            assertThat(post(gateway, "text/xml", envelope).statusCode()).isEqualTo(200);
            HttpResponse<String> replayed = post(gateway, "text/xml", envelope);
            HttpResponse<String> without = post(gateway, "text/xml", SamlSmith.envelope(""));
            assertThat(replayed.statusCode()).isEqualTo(401);
            assertThat(replayed.headers().firstValue("WWW-Authenticate")).contains("SAML realm=\"orders\"");
            assertThat(replayed.body()).contains("The assertion is invalid");
            assertThat(without.body()).contains("The assertion is missing");

            assertThat(gateway.bodies())
                    .containsExactly("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Header/>"
                            + "<s:Body><order id=\"7\"/><line id=\"7\"/></s:Body></s:Envelope>");
            assertThat(gateway.admin().get("/metrics").body())
                    .contains("gateway_tokens_total{policy=\"saml\",result=\"verified\"} 1")
                    .contains("gateway_tokens_total{policy=\"saml\",result=\"refused\"} 1");
        }
    }

    @Test
    void a_message_that_keeps_its_assertion_goes_on_byte_for_byte() throws Exception {
        try (var gateway = start("soap-header", "\"once\": true")) {
            String envelope = "<?xml version='1.0'?>\r\n" + SamlSmith.envelope(signed("kept"));

            assertThat(post(gateway, "application/soap+xml; action=\"x\"", envelope)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(gateway.bodies()).containsExactly(envelope);
        }
    }

    @Test
    void no_attack_in_a_soap_message_reaches_the_upstream() throws Exception {
        try (var gateway = start("soap-header", "\"once\": false")) {
            for (var each :
                    SamlAttacks.envelopes(ISSUER, STRANGER, Instant.now()).entrySet()) {
                assertThat(post(gateway, "text/xml", each.getValue()).statusCode())
                        .as(each.getKey())
                        .isEqualTo(401);
            }
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void no_attack_in_a_form_or_a_header_reaches_the_upstream() throws Exception {
        Map<String, String> attacks = SamlAttacks.responses(ISSUER, STRANGER, Instant.now());
        try (var gateway = start("form", "\"once\": false")) {
            for (var each : attacks.entrySet()) {
                assertThat(post(gateway, FORM, form(each.getValue())).statusCode())
                        .as(each.getKey())
                        .isEqualTo(401);
            }
            assertThat(gateway.arrived()).isEmpty();
            assertThat(post(gateway, FORM, form(SamlSmith.response(signed("good"), Instant.now())))
                            .statusCode())
                    .isEqualTo(200);
        }
        try (var gateway = start(data.resolve("header"), policy("header", "\"once\": false"))) {
            for (var each : attacks.entrySet()) {
                assertThat(get(gateway, "Authorization", "SAML " + base64(each.getValue()))
                                .statusCode())
                        .as(each.getKey())
                        .isEqualTo(401);
            }
            assertThat(gateway.arrived()).isEmpty();
            assertThat(get(gateway, "Authorization", "SAML " + base64(signed("good")))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(gateway.arrived())
                    .hasSize(1)
                    .allSatisfy(headers -> assertThat(headers).doesNotContainIgnoringCase("authorization"));
        }
    }

    @Test
    void nothing_that_a_message_names_is_fetched() throws Exception {
        try (var listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                var gateway = start("form", "\"once\": false")) {
            String url = "http://127.0.0.1:" + listener.getLocalPort() + "/x";
            String good = SamlSmith.response(signed("good"), Instant.now());
            String key = "<ds:KeyInfo><ds:RetrievalMethod URI=\"" + url + "\"/></ds:KeyInfo></ds:Signature>";
            for (String each : new String[] {
                "<!DOCTYPE r SYSTEM \"" + url + "\">" + good,
                "<!DOCTYPE r [<!ENTITY e SYSTEM \"" + url + "\">]>" + good.replace("alice", "&e;"),
                "<?xml-stylesheet href=\"" + url + "\"?>" + good,
                good.replace("URI=\"#good\"", "URI=\"" + url + "\""),
                good.replace("</ds:Signature>", key),
                good.replace(
                        "<samlp:Status>",
                        "<samlp:Status xmlns:x=\"http://www.w3.org/2001/XMLSchema-instance\""
                                + " x:schemaLocation=\"urn:x " + url + "\">"),
            }) {
                assertThat(post(gateway, FORM, form(each)).statusCode())
                        .as(each)
                        .isEqualTo(401);
            }
            assertThat(gateway.arrived()).isEmpty();
            listener.setSoTimeout(1);
            assertThatThrownBy(listener::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void packed_messages_are_unpacked_and_large_ones_refused() throws Exception {
        try (var gateway = start("form", "\"once\": false")) {
            String good = form(SamlSmith.response(signed("good"), Instant.now()));
            var request = request(gateway, "Content-Type", FORM, "Content-Encoding", "gzip")
                    .POST(BodyPublishers.ofByteArray(gzip(good)))
                    .build();

            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            assertThat(post(gateway, FORM, good + "&x=" + "x".repeat(70_000)).statusCode())
                    .isEqualTo(413);
            assertThat(post(gateway, "text/plain", "x".repeat(70_000)).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void an_assertion_or_a_key_opens_the_api_and_both_together_do_not() throws Exception {
        String policies = """
                {"type": "any-of", "policies": [%s, {"type": "key-auth", "header": "X-Api-Key"}]}""".formatted(policy("soap-header", "\"once\": false, \"remove\": true"));
        try (var gateway = start(data, policies)) {
            String key = gateway.admin().issue("robot", "orders");
            String envelope = SamlSmith.envelope(signed("good"));
            String hidden = envelope.replace("names:tc:SAML:2.0:assertion", "names:tc:&#83;AM&#76;:2.0:assertion");
            String evil = envelope.replace("alice", "admin");

            assertThat(post(gateway, "text/xml", envelope).statusCode()).isEqualTo(200);
            assertThat(post(gateway, "text/xml", SamlSmith.envelope(""), "X-Api-Key", key)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(get(gateway, "X-Api-Key", key).statusCode()).isEqualTo(200);
            for (String each : new String[] {envelope, hidden, evil}) {
                assertThat(post(gateway, "text/xml", each, "X-Api-Key", key).statusCode())
                        .isEqualTo(400);
            }
            assertThat(post(gateway, "text/xml", evil).statusCode()).isEqualTo(401);
            assertThat(post(gateway, "text/xml", SamlSmith.envelope(""))
                            .headers()
                            .allValues("WWW-Authenticate"))
                    .containsExactly("SAML realm=\"orders\"", "ApiKey realm=\"orders\"");
            assertThat(gateway.bodies())
                    .hasSize(2)
                    .allSatisfy(body -> assertThat(body).doesNotContain("SAML"));
        }
    }

    private GuardedGateway start(String from, String more) {
        return start(data, policy(from, more));
    }

    private static GuardedGateway start(Path folder, String policies) {
        return GuardedGateway.start(folder, policies, Map.of());
    }

    private static String policy(String from, String more) {
        return """
                {"type": "saml", "from": "%s", "audience": "urn:orders", %s,
                 "recipient": "https://api.example.com/orders",
                 "trust": {"issuer": "https://idp.example.com", "certificates": %s}}""".formatted(
                        from, more, Json.compact(Json.mapper().getNodeFactory().stringNode(ISSUER.pem())));
    }

    private static String signed(String id) {
        return ISSUER.sign(SamlSmith.assertion(id, Instant.now()), id);
    }

    private static String base64(String xml) {
        return Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
    }

    private static String form(String xml) {
        return "SAMLResponse=" + URLEncoder.encode(base64(xml), StandardCharsets.UTF_8) + "&RelayState=x";
    }

    private HttpResponse<String> post(GuardedGateway gateway, String type, String body, String... headers)
            throws IOException, InterruptedException {
        var request = request(gateway, headers).header("Content-Type", type).POST(BodyPublishers.ofString(body));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(GuardedGateway gateway, String... headers)
            throws IOException, InterruptedException {
        return client.send(request(gateway, headers).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(GuardedGateway gateway, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/"));
        return headers.length == 0 ? request : request.headers(headers);
    }
}
