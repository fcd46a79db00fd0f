package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients that send a head octet by octet and never stop: each has its time from the first octet on, not from the
/// last.
@Timeout(60)
final class SlowLorisTest {
    private static final Duration HEAD = Duration.ofMillis(400);
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int PACE_MILLIS = 50;
    private static final String LINE = "GET /a?";
    private static final String LINES = "GET / HTTP/1.1\r\nHost: a.example\r\nX: ";

    @Test
    void a_request_line_that_goes_on_for_ever_is_closed() throws IOException {
        try (SecureGateway gateway = gateway();
                var client = new Socket(
                        InetAddress.getLoopbackAddress(),
                        gateway.dataPlane().address().getPort())) {
            assertThat(isCutOff(client, LINE)).isTrue();
        }
    }

    @Test
    void header_lines_that_go_on_for_ever_are_closed_behind_an_answer_too() throws IOException {
        try (SecureGateway gateway = gateway();
                var client = new Socket(
                        InetAddress.getLoopbackAddress(),
                        gateway.dataPlane().address().getPort())) {
            assertThat(isAnswered(client)).isTrue();

            assertThat(isCutOff(client, LINES)).isTrue();
        }
    }

    @Test
    void both_are_closed_over_tls() throws IOException {
        try (SecureGateway gateway = gateway()) {
            assertThat(isCutOff(gateway.socket(), LINE)).isTrue();
            assertThat(isCutOff(gateway.socket(), LINES)).isTrue();
        }
    }

    private static boolean isAnswered(Socket client) throws IOException {
        client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return client.getInputStream().read(new byte[8192]) > 0;
    }

    private static SecureGateway gateway() throws IOException {
        return new SecureGateway((_, usual) -> usual, plane -> plane.withTimeouts(HEAD, LONG, LONG));
    }

    /// Sends on until nobody is there, or for a hundred octets.
    private static boolean isCutOff(Socket client, String begin) {
        try {
            client.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
            client.setSoTimeout(PACE_MILLIS);
            for (int i = 0; i < 100; i++) {
                client.getOutputStream().write('a');
                if (ends(client)) return true;
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean ends(Socket client) throws IOException {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
