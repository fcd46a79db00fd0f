package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Apache's `ab`, which speaks HTTP/1.0: its `-k` waits until a timeout for connections that are kept without a word.
@Timeout(120)
final class ApacheBenchTest {
    private static final int REQUESTS = 1000;

    @TempDir
    private Path root;

    @Test
    void its_connections_are_kept_for_all_of_its_requests() {
        String output = run("-k");

        assertThat(output).containsPattern("Keep-Alive requests: +" + REQUESTS + "\\b");
    }

    @Test
    void it_is_served_on_a_new_connection_each_when_it_asks_for_none_to_be_kept() {
        String output = run();

        assertThat(output).doesNotContain("Keep-Alive requests:");
    }

    private String run(String... options) {
        try (var peers = new Peers(root)) {
            PeerGateway gateway = peers.gateway(peers.node().place());

            ProgramEnd end = ProgramEnd.of(
                    "",
                    Stream.of(
                                    Stream.of("ab", "-n", "" + REQUESTS, "-c", "8", "-s", "20"),
                                    Stream.of(options),
                                    Stream.of(gateway.url() + "/"))
                            .flatMap(part -> part)
                            .toArray(String[]::new));

            assertThat(end.status()).as(end.output()).isZero();
            assertThat(end.output())
                    .containsPattern("Complete requests: +" + REQUESTS + "\\b")
                    .containsPattern("Failed requests: +0\\b")
                    .doesNotContain("Non-2xx responses");
            return end.output();
        }
    }
}
