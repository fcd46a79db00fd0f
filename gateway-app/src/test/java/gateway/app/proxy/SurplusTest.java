package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Servers that send content behind an answer that has none by its kind, a moment later.
@Timeout(60)
final class SurplusTest {
    private static final String OTHERS = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother";

    @ParameterizedTest
    @CsvSource({
        "HEAD, 200 OK, Content-Length: 43",
        "GET, 304 Not Modified, Content-Length: 43",
        "HEAD, 200 OK, Transfer-Encoding: chunked"
    })
    void what_comes_late_is_nobodys_answer(String method, String status, String announced) throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            RawConnection client = proxy.client().send(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 " + status + "\r\n" + announced + "\r\n\r\n");
            client.readHead();
            client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection fresh = proxy.upstream().accept();
            fresh.readHead();
            upstream.send(OTHERS);
            fresh.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmine");

            assertThat(Http.body(client.readAnswer())).isEqualTo("mine");
            assertThat(upstream.readToEnd()).isEmpty();
        }
    }

    @Test
    void a_connection_that_stays_silent_is_used_again_after_a_rest() throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection first = proxy.upstream().accept();
            first.readHead();
            first.send("HTTP/1.1 200 OK\r\nContent-Length: 43\r\n\r\n");
            client.readHead();
            long rested = System.nanoTime() + 200_000_000;
            until(() -> System.nanoTime() - rested > 0);
            client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(first.readHead())).isEqualTo("GET /next HTTP/1.1");
        }
    }

    @Test
    void few_of_them_rest_at_once() throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            List<RawConnection> clients = new ArrayList<>();
            List<RawConnection> servers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                clients.add(proxy.client().send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"));
                servers.add(proxy.upstream().accept());
            }
            for (RawConnection each : servers) {
                each.readHead();
                each.send("HTTP/1.1 200 OK\r\nContent-Length: 43\r\n\r\n");
            }
            for (RawConnection each : clients) each.readHead();

            until(() -> proxy.dataPlane().upstreamPools().getFirst().open() == 64);
        }
    }
}
