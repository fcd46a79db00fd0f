package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that hold a connection without getting on: each is closed on a deadline, which reading to the end waits
/// for.
final class SlowClientTest {
    private static HostileGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        var soon = Duration.ofMillis(300);
        gateway = HostileGateway.start(settings -> settings.withTimeouts(soon, soon, soon));
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "G",
                "GET / HTTP/1.1\r\n",
                "GET / HTTP/1.1\r\nHost: a.example\r\nX",
                "GET / HTTP/1.1\r\nHost: a\r\n\r"
            })
    void a_head_that_does_not_get_on_is_closed(String begin) throws IOException {
        assertThat(RawClient.exchange(gateway.port(), begin)).doesNotContain("HTTP/1.1 2", "HTTP/1.1 5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 999999999999\r\n\r\n",
                "Content-Length: 10\r\n\r\nhello",
                "Transfer-Encoding: chunked\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nhe"
            })
    void a_body_that_does_not_come_is_closed_and_the_upstream_never_gets_the_whole(String rest) throws IOException {
        gateway.upstream.forget();

        String answer = RawClient.exchange(gateway.port(), "POST /up HTTP/1.1\r\nHost: a.example\r\n" + rest);

        assertThat(answer).doesNotContain("HTTP/1.1 2", "HTTP/1.1 5");
        assertThat(gateway.upstream.requests).isEmpty();
    }

    @Test
    void an_idle_connection_is_closed_after_its_answer() throws IOException {
        String answer = RawClient.exchange(gateway.port(), "GET /good HTTP/1.1\r\nHost: a.example\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ").containsOnlyOnce("HTTP/1.1 ");
    }
}
