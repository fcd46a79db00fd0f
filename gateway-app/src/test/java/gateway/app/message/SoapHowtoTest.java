package gateway.app.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.app.DefinedGateway;
import gateway.json.Json;
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
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// The how-tos of SOAP, done word by word: their commands, their definitions, and what they say comes of it.
@Timeout(120)
final class SoapHowtoTest {
    private static final Path HOWTOS = Path.of("../docs/howto");
    private static final String TOKEN = "a-token-of-thirty-two-characters-or-more";
    private static final String ENVELOPE = """
            <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>%s</s:Body></s:Envelope>""";

    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private volatile String answer = "";

    @TempDir
    private Path folder;

    private HttpServer service;
    private DefinedGateway gateway;
    private HttpClient client;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        service.createContext("/", this::serve);
        service.start();
        gateway = DefinedGateway.start(folder.resolve("data"), Map.of("GATEWAY_ADMIN_TOKEN", TOKEN));
        client = HttpClient.newHttpClient();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String fields = exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("SOAPAction") + " ";
            arrived.add(fields + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            byte[] body = answer.getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @AfterEach
    void end() {
        client.close();
        gateway.close();
        service.stop(0);
    }

    @Test
    void guards_a_soap_service() throws Exception {
        String page = Files.readString(HOWTOS.resolve("guard-a-soap-service.md"));
        write("orders.wsdl", """
                <wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:orders"
                    xmlns:xs="http://www.w3.org/2001/XMLSchema"><wsdl:types>
                  <xs:schema targetNamespace="urn:orders" xmlns:t="urn:types" elementFormDefault="qualified">
                    <xs:import namespace="urn:types" schemaLocation="types.xsd"/>
                    <xs:element name="getOrder" type="t:Asked"/><xs:element name="getOrderResponse" type="t:Asked"/>
                    <xs:element name="deleteOrders" type="t:Asked"/>
                  </xs:schema></wsdl:types></wsdl:definitions>""");
        write("types.xsd", """
                <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:types"
                    elementFormDefault="qualified"><xs:complexType name="Asked"><xs:sequence>
                  <xs:element name="id" type="xs:int"/></xs:sequence></xs:complexType></xs:schema>""");
        List<String> commands = blocks("sh", page);
        List<String> written = blocks("json", page);
        ObjectNode definition = definition(written.getFirst());
        var guard = (ObjectNode) definition.get("policies").get(1);
        assertThat(run(commands.getFirst())).doesNotContain("\"status\":4");

        guard.remove("schemas");
        assertThat(put(definition, commands.get(1))).contains("urn:types", "types.xsd", "\\\"schemas\\\"");
        definition = definition(written.getFirst());
        guard = (ObjectNode) definition.get("policies").get(1);
        assertThat(put(definition, commands.get(1))).contains("\"id\" : \"orders\"");
        String secret = gateway.admin().issue("partner", "orders");
        answer = ENVELOPE.formatted(order("getOrderResponse", "7"));
        for (String body : List.of(order("getOrder", "7"), order("getOrder", "x"), order("deleteOrders", "7"))) {
            assertThat(soap(secret, ENVELOPE.formatted(body)).statusCode())
                    .as(body)
                    .isEqualTo(200);
        }

        guard.setAll((ObjectNode) Json.parse(written.get(1)));
        guard.remove("mode");
        assertThat(put(definition, commands.get(1))).contains("\"id\" : \"orders\"");
        assertThat(soap(secret, ENVELOPE.formatted(order("getOrder", "7"))).body())
                .isEqualTo(answer);
        assertThat(soap(secret, ENVELOPE.formatted(order("getOrder", "x"))).statusCode())
                .isEqualTo(422);
        assertThat(soap(secret, ENVELOPE.formatted(order("deleteOrders", "7"))).statusCode())
                .isEqualTo(422);
        assertThat(soap(secret, "").statusCode()).isEqualTo(400);
        answer = ENVELOPE.formatted(order("getOrderResponse", "x"));
        assertThat(soap(secret, ENVELOPE.formatted(order("getOrder", "7"))).statusCode())
                .isEqualTo(502);
        answer = ENVELOPE.formatted("<s:Fault><faultcode>s:Server</faultcode><faultstring/></s:Fault>");
        assertThat(soap(secret, ENVELOPE.formatted(order("getOrder", "7"))).body())
                .isEqualTo(answer);
    }

    private static String order(String name, String id) {
        return "<o:%s xmlns:o='urn:orders'><id xmlns='urn:types'>%s</id></o:%s>".formatted(name, id, name);
    }

    @Test
    void puts_rest_in_front_of_soap() throws Exception {
        String page = Files.readString(HOWTOS.resolve("rest-in-front-of-soap.md"));
        List<String> commands = blocks("sh", page);
        assertThat(put(definition(blocks("json", page).getFirst()), commands.getFirst()))
                .contains("\"id\" : \"orders\"");
        String secret = gateway.admin().issue("client", "orders");
        answer = ENVELOPE.formatted("<GetOrderResponse xmlns=\"urn:orders\"><line><sku>A-1</sku><quantity>2</quantity>"
                + "</line></GetOrderResponse>");

        String told = run("SECRET=" + secret + "\n" + commands.get(1));

        assertThat(told.strip()).isEqualTo(blocks("text", page).getFirst().strip());
        assertThat(arrived)
                .containsExactly("/services/orders \"urn:orders/GetOrder\" <soap:Envelope xmlns:soap="
                        + "\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body><GetOrder xmlns=\"urn:orders\"><id>7"
                        + "</id></GetOrder></soap:Body></soap:Envelope>");
        String raw = ENVELOPE.formatted("<DropOrders xmlns=\"urn:orders\"/>");
        assertThat(soap("POST", "/orders/get", secret, raw).statusCode()).isEqualTo(415);
        assertThat(soap("POST", "/orders/get", secret, "").statusCode()).isEqualTo(400);
        assertThat(soap("GET", "/orders/get", secret, "").statusCode()).isEqualTo(403);
        for (String path : List.of("/orders", "/orders/", "/orders/get/x", "/orders/services/orders")) {
            assertThat(soap("POST", path, secret, raw).statusCode()).as(path).isEqualTo(403);
        }
        assertThat(arrived).hasSize(1);
    }

    private ObjectNode definition(String written) {
        var definition = (ObjectNode) Json.parse(written);
        ((ObjectNode) definition.get("upstream").get("targets").get(0))
                .put("url", "http://127.0.0.1:" + service.getAddress().getPort());
        return definition;
    }

    private String put(ObjectNode definition, String command) throws Exception {
        write("orders.json", Json.compact(definition));
        return run(command);
    }

    private HttpResponse<String> soap(String secret, String body) throws Exception {
        return soap("POST", "/orders", secret, body);
    }

    private HttpResponse<String> soap(String method, String path, String secret, String body) throws Exception {
        var request = HttpRequest.newBuilder(gateway.uri(path))
                .header("Authorization", "Bearer " + secret)
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"urn:orders/DropOrders\"")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
    }

    /// The code of this kind on the page, in its order.
    private static List<String> blocks(String kind, String page) {
        return Pattern.compile(" *```" + kind + "\n(.*?)\n *```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(found -> found.group(1).stripIndent())
                .toList();
    }

    /// What a shell prints that runs `commands` beside the files, against this gateway.
    private String run(String commands) throws Exception {
        String here = commands.replace("127.0.0.1:9090", gateway.admin().base().getAuthority())
                .replace("127.0.0.1:8080", "127.0.0.1:" + gateway.address().getPort())
                .replace("curl ", "curl -sS ");
        var shell = new ProcessBuilder("bash", "-euc", here);
        shell.environment().put("TOKEN", TOKEN);
        Process process = shell.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(folder.resolve("out"));
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
