package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A server that may choose between HTTP/2 and HTTP/1.1, and chooses HTTP/1.1.
@Timeout(60)
final class ChosenHttp1Test {
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    @RegisterExtension
    private final AutoUpstream upstream = new AutoUpstream();

    private final List<List<String>> offered = new CopyOnWriteArrayList<>();

    /// Answers one request on a connection of its own, and closes that.
    private void serve() throws IOException {
        RawConnection client = upstream.gateway().plain().send(GET);
        try (RawConnection server = upstream.accept(this::choose)) {
            assertThat(server.readHead()).startsWith("GET /x HTTP/1.1\r\n");
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
            assertThat(client.readAnswer()).endsWith("hello");
        }
        while (!upstream.gateway().dataPlane().upstreamPools().isEmpty()) { // until the close is noticed
            assertThat(Thread.currentThread().isInterrupted()).as("late").isFalse();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private String choose(List<String> protocols) {
        offered.add(List.copyOf(protocols));
        return "http/1.1";
    }

    @Test
    void is_forgotten_with_its_last_connection_and_yet_not_asked_again() throws IOException {
        serve();
        serve();

        assertThat(offered).containsExactly(List.of("h2", "http/1.1"), List.of("http/1.1"));
    }
}
