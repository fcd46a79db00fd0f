package gateway.app.message;

import static gateway.http.Gzip.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.app.AdminClient;
import gateway.app.Gateway;
import gateway.app.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// XML between a client and an upstream over sockets, validated on its way: attack 34 among others.
@Timeout(120)
final class GatewayXmlSchemaTest {
    private static final String SCHEMA = """
            <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:o" xmlns="urn:o">
              <xs:element name="order"><xs:complexType><xs:sequence>
                <xs:element name="line" type="xs:int" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
            </xs:schema>""";

    @SuppressWarnings("InlineFormatString") // a document, longer than its use
    private static final String POLICY = """
            {"type": "xml-schema", "schemas": [{"resource": "order.xsd"}], "part": "soap-body", "on": "both"%s}""";

    private static final String ENVELOPE =
            "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'>" + "<s:Body>%s</s:Body></s:Envelope>";
    private static final String GOOD =
            ENVELOPE.formatted("<o:order xmlns:o='urn:o'>" + "<line>1</line>".repeat(200) + "</o:order>");

    @TempDir
    private Path data;

    private final List<byte[]> arrived = new CopyOnWriteArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private volatile String answer = GOOD;
    private HttpServer upstream;
    private Gateway gateway;

    @BeforeEach
    void listen() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                arrived.add(exchange.getRequestBody().readAllBytes());
                byte[] body = answer.getBytes(UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        upstream.start();
    }

    @AfterEach
    void stop() {
        client.close();
        if (gateway != null) gateway.close();
        upstream.stop(0);
    }

    @Test
    void what_holds_goes_to_the_upstream_byte_for_byte_and_its_answer_back() throws Exception {
        start("");

        HttpResponse<String> plain = post(GOOD.getBytes(UTF_8), Map.of());
        HttpResponse<String> packed = post(gzip(GOOD), Map.of("Content-Encoding", "gzip"));

        assertThat(plain.statusCode()).isEqualTo(200);
        assertThat(plain.body()).isEqualTo(GOOD);
        assertThat(packed.statusCode()).isEqualTo(200);
        assertThat(arrived).containsExactly(GOOD.getBytes(UTF_8), gzip(GOOD));
    }

    @Test
    void what_does_not_hold_reaches_nobody() throws Exception {
        start("");
        String bad = GOOD.replaceFirst("<line>1", "<line>one");

        for (HttpResponse<String> refused :
                List.of(post(bad.getBytes(UTF_8), Map.of()), post(gzip(bad), Map.of("Content-Encoding", "gzip")))) {
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body())
                    .contains("urn:gateway:problem:invalid-content", "/Envelope/Body/order/line", "line 1, column");
        }
        assertThat(arrived).isEmpty();
        answer = bad;
        HttpResponse<String> replaced = post(GOOD.getBytes(UTF_8), Map.of());
        assertThat(replaced.statusCode()).isEqualTo(502);
        assertThat(replaced.body()).contains("response-refused").doesNotContain("one<");
        answer = ENVELOPE.formatted("<s:Fault><faultcode>s:Server</faultcode></s:Fault>");
        assertThat(post(GOOD.getBytes(UTF_8), Map.of()).body()).contains("faultcode");
    }

    @Test
    void in_report_mode_all_passes() throws Exception {
        start(", \"mode\": \"report\"");
        answer = "<x/>";

        assertThat(post("<x/>".getBytes(UTF_8), Map.of()).statusCode()).isEqualTo(200);
        assertThat(arrived).containsExactly("<x/>".getBytes(UTF_8));
    }

    @Test
    void no_document_makes_the_gateway_call_anybody_or_count_without_end() throws Exception {
        start("");
        try (var listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout(1);
            String there = "http://127.0.0.1:" + listener.getLocalPort() + "/x";
            String xsi = " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' ";
            var attributes = new StringBuilder();
            for (int i = 0; i < 50_000; i++) attributes.append(" a").append(i).append("='1'");
            var namespaces = new StringBuilder();
            for (int i = 0; i < 25_000; i++)
                namespaces.append(" xmlns:a").append(i).append("='urn:1'");
            for (String attack : List.of(
                    GOOD.replace("<o:order", "<o:order" + xsi + "xsi:schemaLocation='urn:o " + there + "'"),
                    GOOD.replace("<o:order", "<o:order" + xsi + "xsi:noNamespaceSchemaLocation='" + there + "'"),
                    "<?xml-stylesheet href='" + there + "' type='text/xsl'?>" + GOOD,
                    GOOD.replace("<o:order", "<o:order xml:base='" + there + "'"),
                    "<!DOCTYPE x SYSTEM '" + there + "'>" + GOOD,
                    "<!DOCTYPE x [<!ENTITY % e SYSTEM '" + there + "'> %e;]>" + GOOD,
                    GOOD.replace("<o:order", "<o:order" + attributes),
                    GOOD.replace("<o:order", "<o:order" + namespaces),
                    GOOD.replaceFirst("<line>", "<a>".repeat(200) + "</a>".repeat(200) + "<line>"))) {
                assertThat(post(attack.getBytes(UTF_8), Map.of()).statusCode())
                        .as(attack.substring(0, 60))
                        .isEqualTo(400);
            }
            assertThat(listener).satisfies(GatewayXmlSchemaTest::nobodyHasCalled);
        }
        assertThat(arrived).isEmpty();
        assertThat(post(gzip("<a>" + " ".repeat(100_000_000)), Map.of("Content-Encoding", "gzip"))
                        .statusCode())
                .isEqualTo(413);
        assertThat(post(GOOD.getBytes(UTF_8), Map.of()).statusCode()).isEqualTo(200);
    }

    @Test
    void a_schema_that_cannot_serve_its_users_is_refused_and_the_old_one_serves_on() throws Exception {
        start("");
        URI base = URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort());
        try (AdminClient admin = AdminClient.of(base, gateway.adminToken().reveal())) {
            HttpResponse<String> refused =
                    admin.send("PUT", "/admin/v1/resources/order.xsd", SCHEMA.replace("xs:int", "xs:integre"));

            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("/apis/orders/policies/0/schemas/0", "integre");
            assertThat(post(GOOD.getBytes(UTF_8), Map.of()).statusCode()).isEqualTo(200);
            assertThat(admin.send("PUT", "/admin/v1/resources/order.xsd", SCHEMA.replace("xs:int", "xs:boolean"))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(post(GOOD.replace("<line>1", "<line>2").getBytes(UTF_8), Map.of())
                            .statusCode())
                    .isEqualTo(422);
        }
    }

    private static void nobodyHasCalled(ServerSocket listener) {
        try {
            listener.accept().close();
        } catch (IOException e) {
            return; // in time
        }
        throw new AssertionError("somebody has called");
    }

    private void start(String more) throws IOException {
        Files.writeString(Files.createDirectories(data.resolve("resources")).resolve("order.xsd"), SCHEMA);
        Files.writeString(Files.createDirectories(data.resolve("apis")).resolve("orders.json"), """
                {"id": "orders", "match": {"path": "/"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                        POLICY.formatted(more), upstream.getAddress().getPort()));
        gateway = Gateway.start(Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN", "127.0.0.1:0",
                        "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                        "GATEWAY_DATA", data.toString(),
                        "GATEWAY_DRAIN_TIMEOUT", "1s")));
    }

    private HttpResponse<String> post(byte[] body, Map<String, String> headers) throws Exception {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/"))
                .header("Content-Type", "text/xml")
                .POST(BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
