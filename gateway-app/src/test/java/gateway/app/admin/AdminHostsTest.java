package gateway.app.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pages of other sites that reach the admin plane under a name of their own.
final class AdminHostsTest {
    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.close();
    }

    private String ask(String method, String path, String... fields) throws IOException {
        try (Socket socket = server.connect()) {
            socket.setSoTimeout(10_000);
            String head = method + " " + path + " HTTP/1.1\r\nConnection: close\r\n" + String.join("\r\n", fields);
            socket.getOutputStream().write((head + "\r\n\r\n").getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/health/ready", "/hello", "/.well-known/jwks.json", "/admin/v1/apis", "/x"})
    void a_page_under_a_name_that_is_not_ours_learns_nothing(String path) throws IOException {
        String answer = ask("GET", path, "Host: rebound.example.com:9090");

        assertThat(answer)
                .startsWith("HTTP/1.1 421 Misdirected Request\r\n")
                .contains("application/problem+json", "rebound.example.com:9090", "GATEWAY_ADMIN_HOSTS")
                .doesNotContain("gateway_revision");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:9090",
                "10.1.2.3",
                "[::1]:9090",
                "localhost",
                "LOCALHOST:9090",
                "a.localhost",
                "gateway:9090",
                "gateway-admin.prod.svc:9090",
                "gateway-admin.prod.svc.cluster.local.:9090",
                "gateway.internal"
            })
    void who_calls_by_an_address_or_a_name_of_the_inside_is_served(String host) throws IOException {
        assertThat(ask("GET", "/metrics", "Host: " + host)).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void who_has_a_token_is_no_page_of_another_site() throws IOException {
        String answer =
                ask("GET", "/admin/v1/apis", "Host: admin.example.com", "Authorization: Bearer " + AdminServer.TOKEN);

        assertThat(answer).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void names_that_were_set_are_known_and_those_that_resemble_them_are_not() {
        AdminHosts hosts = AdminHosts.of(List.of("Admin.example.com", "*.gw.example.org"));

        assertThat(List.of("admin.example.com", "ADMIN.example.com:9090", "a.gw.example.org", "b.a.gw.example.org."))
                .allMatch(host -> hosts.know(Optional.of(host)));
        assertThat(List.of("gw.example.org", "xadmin.example.com", "admin.example.com.evil.org", "evilgw.example.org"))
                .noneMatch(host -> hosts.know(Optional.of(host)));
        assertThat(AdminHosts.of(List.of("*")).know(Optional.of("any.example.com")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1.example.com", "localhost.example.com", "svc.example.com", "svc.evil", "1.2.3.x"})
    void names_that_only_look_like_ours_are_not(String host) {
        assertThat(AdminHosts.USUAL.know(Optional.of(host))).isFalse();
    }

    @Test
    void options_of_the_server_are_answered_as_by_the_gateway() throws IOException {
        assertThat(ask("OPTIONS", "*", "Host: localhost")).startsWith("HTTP/1.1 200 OK");
        assertThat(ask("OPTIONS", "http://localhost", "Host: localhost")).startsWith("HTTP/1.1 200 OK");
        assertThat(ask("OPTIONS", "*", "Host: rebound.example.com")).startsWith("HTTP/1.1 421 ");
    }

    @Test
    void head_is_answered_as_get_without_content() throws IOException {
        String token = "Authorization: Bearer " + AdminServer.TOKEN;
        String get = ask("GET", "/admin/v1/apis", "Host: localhost", token);
        String head = ask("HEAD", "/admin/v1/apis", "Host: localhost", token);

        assertThat(head).startsWith("HTTP/1.1 200 OK").endsWith("\r\n\r\n");
        assertThat(length(head)).isEqualTo(length(get)).isNotEqualTo("0");
    }

    private static String length(String answer) {
        return answer.lines()
                .filter(line -> line.startsWith("Content-Length: "))
                .findFirst()
                .orElse("none")
                .substring("Content-Length: ".length());
    }
}
