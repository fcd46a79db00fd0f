package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/// Connections of one IO thread of which some never stop: the others are served all the same.
final class FairTurnsTest {
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String LAST = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    /// Sends a request of another client while those of one are served, and counts how many of them come first.
    private static final class Turns implements Policy {
        private static final int CALLED_AT = 10;

        final CompletableFuture<RawConnection> other = new CompletableFuture<>();
        final CompletableFuture<Integer> before = new CompletableFuture<>();
        private int ahead;

        @Override
        public Verdict apply(Exchange exchange) {
            if (exchange.path().equals("/other")) before.complete(ahead - CALLED_AT);
            else if (++ahead == CALLED_AT) callOther();
            return Verdict.stop(Response.of(204));
        }

        private void callOther() {
            try {
                other.join().send(GET.replace("/x", "/other"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// A thousand requests lie in the socket: without a pause all are served one after the other.
    @Test
    void a_client_that_sends_ahead_leaves_others_their_turn() throws Exception {
        var turns = new Turns();
        try (Proxy proxy =
                Proxy.in(RequestThreadMode.IO).ioThreads(1).policies(turns).start()) {
            RawConnection other = proxy.client().send(GET);
            assertThat(other.readHead()).startsWith("HTTP/1.1 204 ");
            proxy.client().send(GET.repeat(1_000));
            turns.other.complete(other);

            assertThat(turns.before.get(60, TimeUnit.SECONDS)).isLessThan(20);
            assertThat(other.readHead()).startsWith("HTTP/1.1 204 ");
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
