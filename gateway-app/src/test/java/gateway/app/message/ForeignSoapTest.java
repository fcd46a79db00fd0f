package gateway.app.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.DefinedGateway;
import gateway.app.identity.ForeignTools;
import gateway.json.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Services and clients of SOAP by other hands, npm `soap` and zeep, on the other side of `convert`.
@Timeout(400)
final class ForeignSoapTest {
    @TempDir
    private Path folder;

    /// Converted as the how-to has it, which [SoapHowtoTest] does word by word.
    @Test
    void clients_of_json_call_a_service_of_npm_soap() throws Exception {
        try (SoapPeer service = SoapPeer.serving("service.js", folder);
                var gateway = DefinedGateway.start(folder.resolve("data"), definition(service.url()))) {
            HttpResponse<String> two = post(gateway, "{\"id\": 2, \"note\": \"a & <b> é\"}");
            HttpResponse<String> one = post(gateway, "{\"id\": 1}");
            HttpResponse<String> none = post(gateway, "{\"id\": 0}");
            HttpResponse<String> wrong = post(gateway, "{\"id\": [[1]]}");

            assertThat(two.statusCode()).isEqualTo(200);
            assertThat(Json.parse(two.body()))
                    .isEqualTo(Json.parse("{\"note\": \"a & <b> é \\\"urn:orders/GetOrder\\\"\", \"line\": ["
                            + "{\"sku\": \"A-1\", \"quantity\": 1}, {\"sku\": \"A-2\", \"quantity\": 2}]}"));
            assertThat(Json.parse(one.body()).get("line").toString()).isEqualTo("[{\"sku\":\"A-1\",\"quantity\":1}]");
            assertThat(none.statusCode()).isEqualTo(400);
            assertThat(none.body()).contains("soap-fault", "there is no order <0>");
            assertThat(wrong.statusCode()).isEqualTo(422);
            assertThat(wrong.body()).contains("/id");
        }
    }

    private static String definition(String upstream) {
        return """
                {"id": "orders", "match": {"path": "/orders"},
                 "upstream": {"targets": [{"url": "%s"}]},
                 "operations": [{"id": "get", "match": {"methods": ["POST"], "path": "/get"}, "policies": [
                   {"type": "rewrite", "path": {"template": "/services/orders"}},
                   {"type": "convert", "request": "json-to-xml", "response": "xml-to-json", "soap": "1.1",
                    "action": "urn:orders/GetOrder", "root": "GetOrder", "namespaces": {"": "urn:orders"},
                    "arrays": ["/GetOrderResponse/line"], "types": "infer"}]}]}""".formatted(upstream);
    }

    private static HttpResponse<String> post(DefinedGateway gateway, String json) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(gateway.uri("/orders/get"))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(json))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void a_client_of_npm_soap_calls_a_service_of_json() throws Exception {
        Path npm = ForeignTools.npm(SoapPeer.NPM);

        assertServed(npm, "node", SoapPeer.script("client.js", npm).toString());
    }

    @Test
    @Tag("proofs")
    void a_client_of_zeep_calls_a_service_of_json() throws Exception {
        Path python = ForeignTools.python("zeep==4.3.3");

        assertServed(
                folder, python.toString(), SoapPeer.script("client.py", folder).toString());
    }

    private void assertServed(Path where, String... client) throws Exception {
        List<String> arrived = new CopyOnWriteArrayList<>();
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        service.createContext("/", exchange -> {
            try (exchange) {
                String asked = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
                arrived.add(exchange.getRequestHeaders().getFirst("Content-Type") + ' ' + asked);
                boolean known = asked.contains("\"2\"");
                byte[] answer = (known
                                ? "{\"note\": \"é<&\", \"line\": [{\"sku\": \"A\", \"quantity\": 3}]}"
                                : "{\"title\": \"Not found\", \"detail\": \"there is no order <0>\"}")
                        .getBytes(UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(known ? 200 : 404, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        service.start();
        try (var gateway = DefinedGateway.start(
                folder.resolve("data"), """
                {"id": "orders", "match": {"path": "/orders"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}, "policies": [
                   {"type": "convert", "request": "xml-to-json", "response": "json-to-xml", "soap": "1.1",
                    "root": "GetOrder", "responseRoot": "GetOrderResponse", "namespaces": {"": "urn:orders"}}]}""".formatted(service.getAddress().getPort()))) {
            Path wsdl = SoapPeer.wsdl(folder, gateway.uri("/orders").toString());
            var command = new ProcessBuilder(client[0], client[1], wsdl.toString())
                    .directory(where.toFile())
                    .redirectErrorStream(true);
            List<String> said = SoapPeer.said(command, folder).lines().toList();

            assertThat(arrived)
                    .containsExactly(
                            "application/json {\"id\":\"2\",\"note\":\"a & <b> é\"}",
                            "application/json {\"id\":\"0\"}");
            assertThat(said).as("%s", said).hasSize(2);
            assertThat(Json.parse(said.getFirst()))
                    .isEqualTo(Json.parse("{\"note\": \"é<&\", \"line\": [{\"sku\": \"A\", \"quantity\": 3}]}"));
            assertThat(said.getLast()).contains("Client", "there is no order <0>");
        } finally {
            service.stop(0);
        }
    }
}
