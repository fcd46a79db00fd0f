package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.Attack;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Malformed HTTP on raw sockets against a real data plane: what the client is told, and what the upstream
/// received.
final class HostileBytesTest {
    private static final String HOST = "Host: a.example\r\n";
    private static final String GOOD = "GET /good HTTP/1.1\r\n" + HOST + "\r\n";
    private static final String CHUNKED = "POST /up HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n";

    @RegisterExtension
    private static final HostileGateway GATEWAY = HostileGateway.ofAllTests();

    static List<Attack> attacks() {
        return Attack.all();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void an_attack_is_refused_and_closed_and_the_upstream_receives_nothing(Attack attack) throws IOException {
        String answer = RawClient.exchange(GATEWAY.port(), attack.bytes());

        assertThat(answer)
                .startsWith("HTTP/1.1 " + attack.refusal().status() + " ")
                .contains("Content-Type: application/problem+json", "Connection: close", "X-Request-Id: ")
                .contains(attack.refusal().detail())
                .containsOnlyOnce("HTTP/1.1 ");
        assertThat(GATEWAY.upstream.bytes).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void requests_before_an_attack_are_answered_first(Attack attack) throws IOException {
        String answer = RawClient.exchange(GATEWAY.port(), GOOD + GOOD + attack.bytes());

        assertThat(answer.split("(?=HTTP/1.1 \\d)", -1))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("HTTP/1.1 200 ").contains("served GET /good"),
                        second -> assertThat(second).startsWith("HTTP/1.1 200 ").contains("served GET /good"),
                        refused -> assertThat(refused)
                                .startsWith("HTTP/1.1 " + attack.refusal().status() + " "));
        assertThat(GATEWAY.upstream.requests)
                .extracting(RecordingUpstream.Received::requestLine)
                .containsExactly("GET /good HTTP/1.1", "GET /good HTTP/1.1");
    }

    /// What the upstream has of it may come late: with a gateway of its own no other test sees it.
    @ParameterizedTest
    @ValueSource(strings = {"x\r\n", "5\nhello\r\n", "-1\r\n", "5;a\r\nhelloo", "0\r\nHost: b\r\n\r\n"})
    void a_fault_in_a_body_under_way_is_answered_and_the_upstream_never_gets_the_whole(String fault)
            throws IOException {
        try (HostileGateway own = HostileGateway.start();
                var client = new RawClient(own.port())) {
            client.send(CHUNKED + "5\r\nhello\r\n");
            client.send(fault);

            assertThat(client.readAll()).startsWith("HTTP/1.1 400 ").containsOnlyOnce("HTTP/1.1 ");
            assertThat(own.upstream.requests).isEmpty();
            assertThat(own.upstream.faults).isEmpty();
        }
    }

    @Test
    void one_empty_line_before_a_request_is_passed_over() throws IOException {
        String answer = RawClient.exchange(
                GATEWAY.port(), "\r\n" + GOOD + "\r\nGET /last HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");

        assertThat(answer.split("(?=HTTP/1.1 \\d)", -1))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("HTTP/1.1 200 ").contains("served GET /good"),
                        second -> assertThat(second).startsWith("HTTP/1.1 200 ").contains("served GET /last"));
    }

    @Test
    void more_empty_lines_before_a_request_are_answered_400_and_closed() throws IOException {
        assertThat(RawClient.exchange(GATEWAY.port(), "\r\n\r\n" + GOOD))
                .startsWith("HTTP/1.1 400 ")
                .containsOnlyOnce("HTTP/1.1 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /a\"b", "GET /x//y"})
    void a_path_that_is_not_canonical_is_answered_400_and_closed(String start) throws IOException {
        String answer = RawClient.exchange(GATEWAY.port(), start + " HTTP/1.1\r\n" + HOST + "\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("Connection: close")
                .containsOnlyOnce("HTTP/1.1 ");
    }

    @Test
    void an_upgrade_to_h2c_is_not_passed_on() throws IOException {
        String answer = RawClient.exchange(
                GATEWAY.port(),
                "GET /up HTTP/1.1\r\n" + HOST
                        + "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(GATEWAY.upstream.requests).singleElement().satisfies(request -> {
            assertThat(request.all("Upgrade")).isEmpty();
            assertThat(request.all("HTTP2-Settings")).isEmpty();
            assertThat(request.all("Connection")).isEmpty();
        });
    }

    @Test
    void a_target_in_absolute_form_goes_on_in_origin_form() throws IOException {
        String answer = RawClient.exchange(
                GATEWAY.port(), "GET http://a.example/x%20y?q=1 HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(GATEWAY.upstream.requests)
                .extracting(RecordingUpstream.Received::requestLine)
                .containsExactly("GET /x%20y?q=1 HTTP/1.1");
    }

    @Test
    void thousands_of_cookies_and_parameters_are_no_fault_of_the_gateway() throws IOException {
        String cookies = "c=1; ".repeat(2500) + "d=2";
        String query = "p=1&".repeat(2500) + "q=2";
        String answer = RawClient.exchange(
                GATEWAY.port(),
                "GET /many?" + query + " HTTP/1.1\r\n" + HOST + "Cookie: " + cookies + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(GATEWAY.upstream.requests).singleElement().satisfies(request -> {
            assertThat(request.requestLine()).isEqualTo("GET /many?" + query + " HTTP/1.1");
            assertThat(request.all("Cookie")).containsExactly(cookies);
        });
    }

    @Test
    void a_key_of_a_megabyte_is_refused_before_anything_looks_at_it() throws IOException {
        String answer = RawClient.exchange(
                GATEWAY.port(), "GET / HTTP/1.1\r\n" + HOST + "Authorization: " + "k".repeat(1024 * 1024) + "\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 431 ").contains("urn:gateway:problem:malformed-request");
        assertThat(GATEWAY.upstream.bytes).hasValue(0);
    }

    /// It says the version that the gateway speaks (RFC 9110 §6.2) and all that a client of the older one needs
    /// to read it.
    @Test
    void what_is_refused_of_http_1_0_is_told_its_length_and_that_the_connection_ends() throws IOException {
        String answer = RawClient.exchange(GATEWAY.port(), "GET / HTTP/1.0\r\nHost: a b\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400 Bad Request\r\n").contains("\r\nConnection: close\r\n");
        String body = Http.body(answer);
        assertThat(answer).contains("\r\nContent-Length: " + body.length() + "\r\n");
        assertThat(body).contains("urn:gateway:problem:malformed-request");
    }

    @Test
    void a_declared_length_over_the_limit_is_refused_without_its_body() throws IOException {
        try (var client = new RawClient(GATEWAY.port())) {
            client.send("POST /small HTTP/1.1\r\n" + HOST + "Content-Length: 999999999999999999\r\n\r\n");

            assertThat(client.readAll()).startsWith("HTTP/1.1 413 ");
        }
        assertThat(GATEWAY.upstream.requests).isEmpty();
    }

    @Test
    void a_chunked_body_past_the_limit_is_refused_when_it_gets_there() throws IOException {
        try (HostileGateway own = HostileGateway.start();
                var client = new RawClient(own.port())) {
            client.send(CHUNKED.replace("/up", "/small"));
            for (int i = 0; i < 11; i++) client.send("64\r\n" + "x".repeat(100) + "\r\n");

            assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 413 ");
            assertThat(own.upstream.requests).isEmpty();
        }
    }

    @Test
    void query_octets_that_browsers_send_raw_pass_as_they_are() throws IOException {
        String answer = RawClient.exchange(
                GATEWAY.port(), "GET /q?a={\"b\":[1|2]}^`\\ HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(GATEWAY.upstream.requests)
                .extracting(RecordingUpstream.Received::requestLine)
                .containsExactly("GET /q?a={\"b\":[1|2]}^`\\ HTTP/1.1");
    }

    @Test
    void trailers_never_become_headers() throws IOException {
        String answer = RawClient.exchange(
                GATEWAY.port(),
                CHUNKED.replace("Transfer", "Connection: close\r\nTransfer")
                        + "2\r\nok\r\n0\r\nX-User-Id: mallory\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(GATEWAY.upstream.requests).singleElement().satisfies(request -> {
            assertThat(request.body()).isEqualTo("ok");
            assertThat(request.all("X-User-Id")).isEmpty();
        });
    }
}
