package gateway.wire.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StrictRequestsTest {
    private static final String GOOD = "GET /good HTTP/1.1\r\nHost: a.example\r\n\r\n";
    private static final String CHUNKED =
            "POST /slow HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static StrictServer server;

    @BeforeAll
    static void start() throws IOException {
        server = StrictServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void forget() {
        server.served.clear();
        server.refused.clear();
    }

    static List<Attack> attacks() {
        return Attack.all();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void an_attack_is_answered_with_a_problem_and_closed_and_never_served(Attack attack) throws IOException {
        String answer = RawClient.exchange(server.port(), attack.bytes());

        assertThat(answer)
                .startsWith("HTTP/1.1 " + attack.refusal().status() + " ")
                .contains("Content-Type: application/problem+json", "Connection: close", "X-Request-Id: test-id")
                .contains(attack.refusal().detail())
                .containsOnlyOnce("HTTP/1.1 ");
        assertThat(server.served).isEmpty();
        assertThat(server.refused).containsExactly(attack.refusal());
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void good_requests_before_an_attack_are_answered_first(Attack attack) throws IOException {
        String answer = RawClient.exchange(server.port(), GOOD + GOOD + attack.bytes());

        assertThat(answer.split("HTTP/1.1 ", -1))
                .satisfiesExactly(
                        before -> assertThat(before).isEmpty(),
                        first -> assertThat(first).startsWith("200 ").endsWith("served /good "),
                        second -> assertThat(second).startsWith("200 ").endsWith("served /good "),
                        refused ->
                                assertThat(refused).startsWith(attack.refusal().status() + " "));
        assertThat(server.served).containsExactly("GET /good ", "GET /good ");
    }

    @Test
    void a_fault_in_content_under_way_is_answered_and_the_request_never_completes() throws IOException {
        try (var client = new RawClient(server.port())) {
            client.send(CHUNKED + "5\r\nhello\r\n");
            client.send("x\r\n");

            assertThat(client.readAll()).startsWith("HTTP/1.1 400 ").contains(Refusal.CHUNK_SIZE.detail());
        }
        assertThat(server.served).isEmpty();
    }

    @Test
    void a_head_in_pieces_is_refused_once_its_fault_has_come() throws IOException {
        try (var client = new RawClient(server.port())) {
            client.send(GOOD);
            assertThat(client.readUntil("served /good ")).startsWith("HTTP/1.1 200 ");
            for (String piece :
                    List.of("GET / HT", "TP/1.1\r", "\nHost: a.exa", "mple\r\nX: y\r", "\n folded\r\n\r\n")) {
                client.send(piece);
            }

            assertThat(client.readAll()).startsWith("HTTP/1.1 400 ").contains(Refusal.FOLDED_LINE.detail());
        }
        assertThat(server.served).containsExactly("GET /good ");
    }

    @Test
    void the_answer_is_read_though_the_client_goes_on_sending() throws IOException {
        String answer = RawClient.exchange(server.port(), "GET / HTTP/1.1\n\n" + "x".repeat(100_000));

        assertThat(answer).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void pipelined_requests_with_bodies_are_all_served() throws IOException {
        String length = "POST /length HTTP/1.1\r\nHost: a.example\r\nContent-Length: 5\r\n\r\nhello";
        String chunked = CHUNKED + "5;x=\"y\"\r\nhello\r\n5\r\nworld\r\n0\r\nT: u\r\n\r\n";
        String last = "GET /last HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";

        RawClient.exchange(server.port(), length + chunked + GOOD + chunked + length + last);

        assertThat(server.served)
                .containsExactly(
                        "POST /length hello",
                        "POST /slow helloworld",
                        "GET /good ",
                        "POST /slow helloworld",
                        "POST /length hello",
                        "GET /last ");
    }

    @Test
    void a_large_body_passes_whole() throws IOException {
        String body = "0123456789abcdef".repeat(20_000);
        String head = "POST /large HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nContent-Length: " + body.length()
                + "\r\n\r\n";

        RawClient.exchange(server.port(), head + body);

        assertThat(server.served).containsExactly("POST /large " + body);
    }
}
