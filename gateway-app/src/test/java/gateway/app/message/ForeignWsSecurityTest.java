package gateway.app.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.DefinedGateway;
import gateway.app.identity.ForeignTools;
import gateway.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Clients and services of WS-Security by other hands, npm `soap` and zeep, on the other side of the gateway.
@Timeout(400)
final class ForeignWsSecurityTest {
    private static final Path KEYS = Path.of("../gateway-policies/message/src/test/resources/wss");
    private static final String USER =
            "{\"username-token\": {\"users\": [{\"name\": \"ann\", \"password\": {\"env\": \"GATEWAY_SECRET_ANN\"}}]}}";
    private static final String SIGNED_ANSWER =
            "\"response\": [{\"add-timestamp\": {}}, {\"sign\": {\"key\": {\"env\": \"GATEWAY_SECRET_SERVICE\"}}}]";
    private static final String ANSWER = """
            <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><GetOrderResponse xmlns="urn:orders">\
            <note>fine é</note></GetOrderResponse></s:Body></s:Envelope>""";
    private static final JsonNode WELL = Json.parse("{\"note\": \"fine é\", \"verified\": true, \"changed\": false}");

    @TempDir
    private Path folder;

    @Test
    void clients_of_npm_soap_are_known_by_what_they_sign_and_verify_the_answer() throws Exception {
        Path npm = ForeignTools.npm(SoapPeer.NPM);
        List<String> client =
                List.of("node", SoapPeer.script("secure_client.js", npm).toString());

        assertServed(npm, client, List.of("cert", "user", "user-and-cert"));
    }

    @Test
    @Tag("proofs")
    void clients_of_zeep_are_known_by_what_they_sign_and_verify_the_answer() throws Exception {
        Path python = ForeignTools.python("zeep[xmlsec]==4.3.3");
        List<String> client = List.of(
                python.toString(), SoapPeer.script("secure_client.py", folder).toString());

        assertServed(folder, client, List.of("cert", "x509", "user"));
    }

    /// Each API wants one kind of client: another's message gets a fault and goes no further.
    private void assertServed(Path where, List<String> client, List<String> kinds) throws Exception {
        List<String> arrived = new CopyOnWriteArrayList<>();
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        service.createContext("/", exchange -> {
            try (exchange) {
                arrived.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                byte[] answer = ANSWER.getBytes(UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        service.start();
        String upstream = "http://127.0.0.1:" + service.getAddress().getPort();
        String[] apis = kinds.stream().map(kind -> api(kind, upstream)).toArray(String[]::new);
        try (var gateway = DefinedGateway.start(folder.resolve("data"), settings(), apis)) {
            for (String kind : kinds) {
                Path wsdl = SoapPeer.wsdl(folder, gateway.uri('/' + kind).toString());
                assertThat(said(where, client, wsdl, kind)).as(kind).isEqualTo(WELL);
                assertThat(arrived)
                        .singleElement()
                        .asString()
                        .contains("a &amp; &lt;b", "é")
                        .doesNotContain("Security");
                arrived.clear();
                String bad = kind.equals("user") ? "wrong-user" : "user";
                for (String other : List.of(bad, "none")) {
                    assertThat(said(where, client, wsdl, other).toString())
                            .as(kind)
                            .contains("wsse:");
                    assertThat(arrived).isEmpty();
                }
            }
        } finally {
            service.stop(0);
        }
    }

    private static String api(String kind, String upstream) {
        String parts = kind.equals("user-and-cert") ? "[\"body\"]" : "[\"body\", \"timestamp\"]";
        String verify = "{\"timestamp\": {}}, {\"verify\": {\"consumer\": \"subject\", \"parts\": %s,".formatted(parts)
                + " \"trust\": {\"certificates\": %s}}}".formatted(text("client.crt"));
        String steps = switch (kind) {
            case "user" -> USER;
            case "user-and-cert" -> USER + ", " + verify.replace("\"consumer\": \"subject\", ", "");
            default -> verify;
        };
        return """
                {"id": "%1$s", "match": {"path": "/%1$s"}, "upstream": {"targets": [{"url": "%2$s"}]}, "policies": [
                   {"type": "ws-security", "request": [%3$s, {"remove": true}], %4$s}]}""".formatted(kind, upstream, steps, SIGNED_ANSWER);
    }

    @Test
    void a_service_of_npm_soap_knows_the_gateway_by_its_token() throws Exception {
        try (SoapPeer service = SoapPeer.serving("secure_service.js", folder);
                var gateway = DefinedGateway.start(
                        folder.resolve("data"),
                        settings(),
                        outwards("orders", service.url(), "GATEWAY_SECRET_OURS"),
                        outwards("wrong", service.url(), "GATEWAY_SECRET_ANN"))) {
            assertThat(asked(gateway, "/orders")).contains("GetOrderResponse", "for npm");
            assertThat(asked(gateway, "/wrong")).contains("Fault").doesNotContain("for npm");
        }
    }

    private static String outwards(String id, String upstream, String password) {
        return """
                {"id": "%1$s", "match": {"path": "/%1$s"}, "upstream": {"targets": [{"url": "%2$s"}]}, "policies": [
                   {"type": "rewrite", "path": {"template": "/orders"}},
                   {"type": "ws-security", "stage": "upstream", "request": [
                     {"add-username-token": {"name": "gateway", "password": {"env": "%3$s"}}}]}]}""".formatted(id, upstream, password);
    }

    private static String asked(DefinedGateway gateway, String path) throws Exception {
        String order =
                ANSWER.replace("GetOrderResponse", "GetOrder").replace("<note>fine é", "<id>1</id><note>for npm");
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(gateway.uri(path))
                                    .header("Content-Type", "text/xml; charset=utf-8")
                                    .header("SOAPAction", "\"urn:orders/GetOrder\"")
                                    .POST(BodyPublishers.ofString(order))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }

    private static Map<String, String> settings() throws IOException {
        return Map.of(
                "GATEWAY_SECRET_ANN", "a long password",
                "GATEWAY_SECRET_OURS", "a password of ours",
                "GATEWAY_SECRET_SERVICE", Files.readString(KEYS.resolve("service.pem")));
    }

    private JsonNode said(Path where, List<String> client, Path wsdl, String kind) throws Exception {
        String key = KEYS.resolve("client.pem").toAbsolutePath().toString();
        String certificate = KEYS.resolve("client.crt").toAbsolutePath().toString();
        String service = KEYS.resolve("service.crt").toAbsolutePath().toString();
        var command = new ProcessBuilder(
                        client.getFirst(), client.getLast(), wsdl.toString(), kind, key, certificate, service)
                .directory(where.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT); // what Node.js deprecates
        String said = SoapPeer.said(command, folder);
        assertThat(said).as(kind).startsWith("{");
        return Json.parse(said);
    }

    private static String text(String name) {
        try {
            return Json.compact(Json.mapper().getNodeFactory().stringNode(Files.readString(KEYS.resolve(name))));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
