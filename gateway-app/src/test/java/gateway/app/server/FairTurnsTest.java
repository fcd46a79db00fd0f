package gateway.app.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/// Connections of one IO thread of which some never stop: the others are served all the same.
class FairTurnsTest {
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String LAST = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    /// A client that sends requests without waiting for answers, and reads these as fast as it can.
    private static final class Flood implements AutoCloseable {
        private final RawConnection connection;
        private final List<Thread> threads = new ArrayList<>();

        Flood(HostileGateway gateway, String request) throws IOException {
            connection = RawConnection.to(gateway.dataPlane().address());
            connection.socket().setSoTimeout(0);
            byte[] requests = request.repeat(2_000).getBytes(ISO_8859_1);
            threads.add(Thread.ofPlatform().start(() -> untilClosed(() -> connection.send(requests))));
            threads.add(Thread.ofPlatform()
                    .start(() -> untilClosed(() -> connection.in().skipNBytes(64 * 1024))));
        }

        private interface Step {
            void go() throws IOException;
        }

        private static void untilClosed(Step step) {
            try {
                while (true) step.go();
            } catch (IOException e) {
                // the test is over
            }
        }

        @Override
        public void close() throws IOException {
            connection.close();
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Test
    void a_client_that_never_stops_sending_ahead_leaves_others_their_turn() throws IOException {
        var floods = new ArrayList<Flood>();
        try (HostileGateway gateway = HostileGateway.start()) {
            for (int i = 0; i < 6; i++) floods.add(new Flood(gateway, GET.replace("/x", "/admin/x")));

            for (int i = 0; i < 10; i++) {
                try (RawConnection other = RawConnection.to(gateway.dataPlane().address())) {
                    assertThat(other.send(GET.replace("/x", "/admin/y")).readHead())
                            .startsWith("HTTP/1.1 403 ");
                }
            }
        } finally {
            for (Flood flood : floods) flood.close();
        }
    }

    @Test
    void a_client_that_changes_its_keys_for_ever_is_cut_off() throws IOException {
        try (SecureGateway gateway = SecureGateway.start()) {
            SSLSocket client = gateway.socket();
            client.setEnabledProtocols(new String[] {"TLSv1.3"});
            client.startHandshake();

            changeKeys(client, 1_000);

            assertThat(isCutOff(client)).isTrue();
            assertThat(gateway.exchange(LAST.replace("Host: a", "Host: a.example")))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void new_keys_between_requests_are_no_fault() throws IOException {
        try (SecureGateway gateway = SecureGateway.start()) {
            SSLSocket client = gateway.socket();
            client.setEnabledProtocols(new String[] {"TLSv1.3"});
            client.startHandshake();

            assertThat(changeKeys(client, 5)).isEqualTo(5);
            assertThat(SecureGateway.exchange(client, LAST.replace("Host: a", "Host: a.example")))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    private static boolean isCutOff(SSLSocket client) {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /// In TLS 1.3, where connections do not shake hands again, this sends `KeyUpdate`. How often it could.
    private static int changeKeys(SSLSocket client, int times) {
        for (int i = 0; i < times; i++) {
            try {
                client.startHandshake();
            } catch (IOException e) {
                return i;
            }
        }
        return times;
    }
}
