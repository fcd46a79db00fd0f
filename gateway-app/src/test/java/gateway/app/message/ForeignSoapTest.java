package gateway.app.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.DefinedGateway;
import gateway.app.identity.ForeignTools;
import gateway.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Services and clients of SOAP by other hands, npm `soap` and zeep, on the other side of `convert`.
@Timeout(400)
final class ForeignSoapTest {
    private static final String NPM = "soap@1.13.0";

    @TempDir
    private Path folder;

    /// As the how-to has it.
    @Test
    void clients_of_json_call_a_service_of_npm_soap() throws Exception {
        Path npm = ForeignTools.npm(NPM);
        Process service = new ProcessBuilder("node", file("service.js", npm).toString(), wsdl("").toString())
                .directory(npm.toFile())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = service.inputReader(UTF_8)) {
            String port = said.readLine();
            assertThat(port).startsWith("port ");
            try (var gateway = DefinedGateway.start(folder.resolve("data"), definition(port.substring(5)))) {
                HttpResponse<String> two = post(gateway, "{\"id\": 2, \"note\": \"a & <b> é\"}");
                HttpResponse<String> one = post(gateway, "{\"id\": 1}");
                HttpResponse<String> none = post(gateway, "{\"id\": 0}");
                HttpResponse<String> wrong = post(gateway, "{\"id\": [[1]]}");

                assertThat(two.statusCode()).isEqualTo(200);
                assertThat(Json.parse(two.body()))
                        .isEqualTo(Json.parse("{\"note\": \"a & <b> é \\\"urn:orders/GetOrder\\\"\", \"line\": ["
                                + "{\"sku\": \"A-1\", \"quantity\": 1}, {\"sku\": \"A-2\", \"quantity\": 2}]}"));
                assertThat(Json.parse(one.body()).get("line").toString())
                        .isEqualTo("[{\"sku\":\"A-1\",\"quantity\":1}]");
                assertThat(none.statusCode()).isEqualTo(400);
                assertThat(none.body()).contains("soap-fault", "there is no order <0>");
                assertThat(wrong.statusCode()).isEqualTo(422);
                assertThat(wrong.body()).contains("/id");
            }
        } finally {
            service.destroyForcibly();
        }
    }

    private static String definition(String port) {
        return """
                {"id": "orders", "match": {"path": "/orders"},
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%s"}]},
                 "operations": [{"id": "get", "match": {"methods": ["POST"], "path": "/get"}, "policies": [
                   {"type": "rewrite", "path": {"template": "/services/orders"}},
                   {"type": "convert", "request": "json-to-xml", "response": "xml-to-json", "soap": "1.1",
                    "action": "urn:orders/GetOrder", "root": "GetOrder", "namespaces": {"": "urn:orders"},
                    "arrays": ["/GetOrderResponse/line"], "types": "infer"}]}]}""".formatted(port);
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
        Path npm = ForeignTools.npm(NPM);

        assertServed(npm, "node", file("client.js", npm).toString());
    }

    @Test
    @Tag("proofs")
    void a_client_of_zeep_calls_a_service_of_json() throws Exception {
        Path python = ForeignTools.python("zeep==4.3.3");

        assertServed(folder, python.toString(), file("client.py", folder).toString());
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
                    "root": "GetOrderResponse", "namespaces": {"": "urn:orders"}}]}""".formatted(service.getAddress().getPort()))) {
            List<String> said = said(where, wsdl(gateway.uri("/orders").toString()), client);

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

    private List<String> said(Path where, Path wsdl, String... client) throws IOException, InterruptedException {
        Path log = folder.resolve("client.log");
        Process process = new ProcessBuilder(List.of(client[0], client[1], wsdl.toString()))
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).isTrue();
        try (var lines = Files.lines(log)) {
            return lines.collect(Collectors.toList());
        }
    }

    private Path wsdl(String address) throws IOException {
        Path file = file("orders.wsdl", folder);
        return Files.writeString(file, Files.readString(file).replace("ADDRESS", address));
    }

    private static Path file(String name, Path folder) throws IOException {
        try (var content = ForeignSoapTest.class.getResourceAsStream("/soap/" + name)) {
            Path file = folder.resolve(name);
            Files.write(file, content.readAllBytes());
            return file;
        }
    }
}
