package gateway.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.metrics.StatsdReceiver.Dialect;
import gateway.http.Outcome;
import gateway.snapshot.LiveSnapshot;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Metrics at a real UDP socket.
@Timeout(60)
final class StatsdTest {
    private static final Outcome OK = new Outcome(200, Outcome.Ending.COMPLETE, 20_000_000, 21_000_000);

    private final LiveSnapshot live = new LiveSnapshot();

    @Test
    void tells_what_was_counted_since_the_last_time_with_tags() throws IOException {
        try (var socket = listener();
                var metrics = metrics(socket.getLocalPort(), Dialect.DATADOG)) {
            metrics.readings().gauge(MeterNames.REVISION, "as the gateway tells it", () -> 7);
            metrics.unrouted().ended(OK);
            metrics.unrouted().ended(OK);

            await(socket, "gateway.requests:2|c|#api:none,status:2xx", "gateway.revision:7|g");

            metrics.unrouted().ended(OK);

            await(
                    socket,
                    "gateway.requests:1|c|#api:none,status:2xx",
                    "gateway.request.duration.count:1|c|#api:none",
                    "gateway.request.duration.sum:21|c|#api:none",
                    "gateway.request.duration.bucket:1|c|#api:none,le:0.025");
        }
    }

    @Test
    void writes_tags_into_the_name_for_a_daemon_that_knows_none() throws IOException {
        try (var socket = listener();
                var metrics = metrics(socket.getLocalPort(), Dialect.ETSY)) {
            metrics.unrouted().ended(OK);

            await(socket, "gateway.requests.api.none.status.2xx:1|c");
        }
    }

    @Test
    void tells_the_rest_at_the_end() throws IOException {
        try (var socket = listener()) {
            var metrics = Metrics.start(
                    settings(socket.getLocalPort(), Dialect.DATADOG, Duration.ofHours(1)),
                    () -> live.current().apis().keySet(),
                    "");
            metrics.unrouted().ended(OK);

            metrics.close();

            await(socket, "gateway.requests:1|c|#api:none,status:2xx");
        }
    }

    @Test
    void goes_on_and_says_it_once_when_nobody_listens_and_tells_again_when_somebody_does() throws IOException {
        int port;
        try (var socket = listener()) {
            port = socket.getLocalPort();
        }
        try (var log = LogCapture.of(ReceiverOutageLog.class);
                var metrics = metrics(port, Dialect.DATADOG)) {
            metrics.unrouted().ended(OK);
            log.awaitLine("takes no metrics");
            assertThat(metrics.scrape()).contains("gateway_requests_total{api=\"none\",status=\"2xx\"} 1.0");
            try (var socket = new DatagramSocket(port, InetAddress.getLoopbackAddress())) {
                metrics.unrouted().ended(OK);
                await(socket, "gateway.requests:1|c|#api:none,status:2xx");
                log.awaitLine("takes metrics again");
            }
        }
    }

    private Metrics metrics(int port, Dialect dialect) {
        return Metrics.start(
                settings(port, dialect, Duration.ofMillis(100)),
                () -> live.current().apis().keySet(),
                "");
    }

    private static MetricsSettings settings(int port, Dialect dialect, Duration interval) {
        return new MetricsSettings(
                "node-1",
                100,
                false,
                interval,
                Optional.empty(),
                Optional.of(new StatsdReceiver("127.0.0.1", port, dialect)));
    }

    private static DatagramSocket listener() throws IOException {
        var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout(10_000); // a read cannot be interrupted
        return socket;
    }

    /// Reads until all of `lines` have come.
    private static void await(DatagramSocket socket, String... lines) throws IOException {
        var missing = new HashSet<>(Set.of(lines));
        var packet = new DatagramPacket(new byte[65_536], 65_536);
        while (!missing.isEmpty()) {
            socket.receive(packet);
            String text = new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
            assertThat(packet.getLength()).isLessThanOrEqualTo(1432);
            text.lines().forEach(missing::remove);
        }
    }
}
