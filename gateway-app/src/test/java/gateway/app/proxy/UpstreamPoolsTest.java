package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is remembered of the servers that connections go to.
@Timeout(60)
final class UpstreamPoolsTest {
    @Test
    void a_server_to_which_no_connection_is_open_is_forgotten() throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            client.readAnswer();
            assertThat(proxy.dataPlane().upstreamPools()).hasSize(1);

            upstream.close();

            until(() -> proxy.dataPlane().upstreamPools().isEmpty()); // until the close is noticed
        }
    }
}
