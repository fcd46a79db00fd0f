package gateway.app;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.InvalidConfigException;
import gateway.wire.tls.TestAuthority;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// TLS as an operator sets it: by variables, files, reload and metrics.
final class TlsGatewayTest {
    private static final String MOCK = """
            {"id": "mock", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]},
             "policies": [{"type": "mock-response", "status": 200, "body": "hello"}]}""";

    @TempDir
    private Path folder;

    private final TestAuthority authority = new TestAuthority();
    private Path certificate;

    @BeforeEach
    void issue() {
        certificate = authority.issue("localhost", "localhost").write(folder.resolve("a.pem"));
    }

    @Test
    void serves_over_tls_and_tells_when_the_certificate_expires() throws Exception {
        try (Gateway gateway = start(Map.of());
                HttpClient client = client()) {
            assertThat(admin(gateway, "POST", "/apis", MOCK).body()).contains("mock-response");

            assertThat(get(client, gateway).body()).isEqualTo("hello");
            assertThat(metrics(gateway)).contains("gateway_tls_certificate_expiry_seconds{certificate=\"localhost\"}");
        }
    }

    @Test
    void nobody_calls_in_the_clear_when_the_plain_listener_is_off() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_LISTEN", "off"));
                HttpClient client = client()) {
            assertThat(admin(gateway, "POST", "/apis", MOCK).body()).contains("mock-response");

            assertThat(gateway.address()).isEqualTo(gateway.secureAddress().orElseThrow());
            assertThat(get(client, gateway).body()).isEqualTo("hello");
            URI clear = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/");
            assertThatThrownBy(() -> client.send(HttpRequest.newBuilder(clear).build(), BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_reload_presents_new_files_and_refuses_wrong_ones_by_name() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_TLS_CHECK", "1d"))) {
            assertThat(admin(gateway, "POST", "/apis", MOCK).body()).contains("mock-response");
            assertThat(subject(gateway)).isEqualTo("CN=localhost");

            authority.issue("renewed", "localhost").write(certificate);
            assertThat(admin(gateway, "POST", "/reload", "").statusCode()).isEqualTo(200);
            assertThat(subject(gateway)).isEqualTo("CN=renewed");

            Files.writeString(certificate, "oops");
            HttpResponse<String> refused = admin(gateway, "POST", "/reload", "");
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("/tlsCertificates/0", "a.pem: holds no certificate");
            assertThat(subject(gateway)).isEqualTo("CN=renewed");
        }
    }

    @Test
    void changed_files_are_noticed() throws Exception {
        try (Gateway gateway = start(Map.of("GATEWAY_TLS_CHECK", "100ms"))) {
            assertThat(admin(gateway, "POST", "/apis", MOCK).body()).contains("mock-response");
            authority.issue("renewed", "localhost").write(certificate);

            until(() -> subject(gateway).equals("CN=renewed"));
        }
    }

    @Test
    void a_wrong_file_keeps_the_gateway_from_starting() throws IOException {
        Files.writeString(certificate, "oops");

        assertThatThrownBy(() -> start(Map.of()))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageStartingWith("/tlsCertificates/0: ")
                .hasMessageContaining("a.pem: holds no certificate");
    }

    @Test
    void settings_that_do_not_go_together_are_refused() {
        assertThatThrownBy(
                        () -> settings(Map.of("GATEWAY_TLS_CERTIFICATES", "", "GATEWAY_TLS_CLIENT_AUTH", "required")))
                .hasMessageContaining("GATEWAY_TLS_CERTIFICATES: expected a certificate")
                .hasMessageContaining("GATEWAY_TLS_CLIENT_CA: expected a file of authorities");
        assertThatThrownBy(() -> settings(Map.of("GATEWAY_TLS_VERSION", "1.1", "GATEWAY_TLS_CLIENT_CRL", "x.crl")))
                .hasMessageContaining("GATEWAY_TLS_VERSION: expected one of \"1.2\", \"1.3\", got \"1.1\"")
                .hasMessageContaining("GATEWAY_TLS_CLIENT_CRL: expected nothing");
        assertThatThrownBy(() -> settings(Map.of("GATEWAY_TLS_LISTEN", "", "GATEWAY_LISTEN", "off")))
                .hasMessageContaining("GATEWAY_TLS_LISTEN: expected an address, since GATEWAY_LISTEN is off");
    }

    @Test
    void speaks_http_2_over_tls_unless_it_is_switched_off() throws Exception {
        for (var expected : Map.of("tls", HttpClient.Version.HTTP_2, "off", HttpClient.Version.HTTP_1_1)
                .entrySet()) {
            try (Gateway gateway = start(Map.of("GATEWAY_HTTP2", expected.getKey()));
                    HttpClient client = HttpClient.newBuilder()
                            .sslContext(authority.client())
                            .build()) {
                assertThat(get(client, gateway).version()).isEqualTo(expected.getValue());
            }
        }
    }

    private Gateway start(Map<String, String> more) {
        return Gateway.start(settings(more));
    }

    private Settings settings(Map<String, String> more) {
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", folder.resolve("data").toString(),
                "GATEWAY_IO_THREADS", "1",
                "GATEWAY_TLS_LISTEN", "127.0.0.1:0",
                "GATEWAY_TLS_CERTIFICATES", certificate.toString()));
        environment.putAll(more);
        return Settings.read(Optional.empty(), environment);
    }

    private HttpClient client() {
        return HttpClient.newBuilder()
                .sslContext(authority.client())
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private static HttpResponse<String> get(HttpClient client, Gateway gateway) throws Exception {
        int port = gateway.secureAddress().orElseThrow().getPort();
        var request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/x"))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private String subject(Gateway gateway) throws Exception {
        try (HttpClient fresh = client()) {
            var session = get(fresh, gateway).sslSession().orElseThrow();
            return session.getPeerPrincipal().getName();
        }
    }

    private static String metrics(Gateway gateway) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(uri(gateway, "/metrics")).build();
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }

    private static HttpResponse<String> admin(Gateway gateway, String method, String path, String body)
            throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(uri(gateway, "/admin/v1" + path))
                    .method(method, BodyPublishers.ofString(body))
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer " + gateway.adminToken().reveal())
                    .build();
            return client.send(request, BodyHandlers.ofString());
        }
    }

    private static URI uri(Gateway gateway, String path) {
        return URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort() + path);
    }
}
