package gateway.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.steering.Ticks;
import gateway.net.AllowedNetworks;
import gateway.net.UpstreamProtocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class HealthProbeTest {
    private static final Duration PATIENT = Duration.ofSeconds(40);

    private final Resolver resolver = new Resolver(AllowedNetworks.USUAL, new FakeNames(), new Ticks());
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private boolean probe(ProbeTerms.Kind type, Duration timeout, Set<Integer> statuses) {
        return probe(type, timeout, statuses, "127.0.0.1");
    }

    private boolean probe(ProbeTerms.Kind type, Duration timeout, Set<Integer> statuses, String host) {
        IntPredicate good = status -> statuses.isEmpty() ? status >= 200 && status < 400 : statuses.contains(status);
        var terms = new ProbeTerms(type, "/up?deep=1", good, "", timeout);
        return new HealthProbe(terms, target(host, UpstreamProtocol.HTTP1), resolver).isGood();
    }

    private Target target(String host, UpstreamProtocol protocol) {
        return Target.of(URI.create("http://" + host + ":" + server.getLocalPort()), Optional.empty(), protocol);
    }

    /// Takes one connection, answers it, and gives back the request's head.
    private CompletableFuture<String> answering(String answer) {
        return CompletableFuture.supplyAsync(() -> {
            try (Socket client = server.accept()) {
                var head = new StringBuilder();
                while (!head.toString().endsWith("\r\n\r\n"))
                    head.append((char) client.getInputStream().read());
                client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                return head.toString();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"200,true", "204,true", "302,true", "399,true", "400,false", "404,false", "500,false", "503,false"})
    void a_status_under_400_is_good(int status, boolean good) {
        var asked = answering("HTTP/1.1 " + status + " Whatever\r\n\r\n");

        assertThat(probe(ProbeTerms.Kind.HTTP, PATIENT, Set.of())).isEqualTo(good);
        asked.join();
    }

    @ParameterizedTest
    @CsvSource({"200,false", "418,true"})
    void only_listed_statuses_are_good_when_some_are(int status, boolean good) {
        var asked = answering("HTTP/1.0 " + status + " Whatever\r\n\r\n");

        assertThat(probe(ProbeTerms.Kind.HTTP, PATIENT, Set.of(418))).isEqualTo(good);
        asked.join();
    }

    @Test
    void asks_for_the_path_in_the_targets_name() {
        var asked = answering("HTTP/1.1 200 OK\r\n\r\n");

        probe(ProbeTerms.Kind.HTTP, PATIENT, Set.of());

        assertThat(asked.join())
                .startsWith("GET /up?deep=1 HTTP/1.1\r\nHost: 127.0.0.1:" + server.getLocalPort() + "\r\n")
                .contains("\r\nConnection: close\r\n");
    }

    @ParameterizedTest
    @CsvSource({"SSH-2.0-OpenSSH_9.9 and more", "HTTP/1.1 2x0 OK", "HTTP/1.1", "''"})
    void what_is_no_answer_is_bad(String answer) {
        var asked = answering(answer);

        assertThat(probe(ProbeTerms.Kind.HTTP, PATIENT, Set.of())).isFalse();
        asked.join();
    }

    @Test
    void who_does_not_answer_in_time_is_bad() {
        var done = new CountDownLatch(1);
        var silent = CompletableFuture.runAsync(() -> {
            try (Socket _ = server.accept()) {
                done.await();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(probe(ProbeTerms.Kind.HTTP, Duration.ofMillis(50), Set.of())).isFalse();
        done.countDown();
        silent.join();
    }

    @Test
    void a_connection_is_enough_for_tcp() throws IOException {
        assertThat(probe(ProbeTerms.Kind.TCP, PATIENT, Set.of())).isTrue();
        server.close();

        assertThat(probe(ProbeTerms.Kind.TCP, PATIENT, Set.of())).isFalse();
    }

    @Test
    void an_address_that_may_not_be_called_is_bad() {
        assertThat(probe(ProbeTerms.Kind.TCP, PATIENT, Set.of(), "169.254.169.254"))
                .isFalse();
    }

    /// Takes one connection and answers it, once the request has come, with `frames` in hexadecimal digits.
    private boolean probedByHttp2(String frames) {
        var done = new CountDownLatch(1);
        var asked = CompletableFuture.runAsync(() -> {
            try (Socket client = server.accept()) {
                client.getInputStream().readNBytes(24 + 9 + 9 + 1);
                client.getOutputStream().write(HexFormat.of().parseHex(frames.replace(" ", "")));
                done.await();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        var terms = new ProbeTerms(
                ProbeTerms.Kind.HTTP, "/up", status -> status == 200 || status == 204, "", Duration.ofSeconds(20));
        boolean good = new HealthProbe(terms, target("127.0.0.1", UpstreamProtocol.H2C), resolver).isGood();
        done.countDown();
        asked.join();
        return good;
    }

    @ParameterizedTest
    @CsvSource({
        "000000 04 00 00000000 000001 01 05 00000001 88, true", // settings, :status 200
        "000000 04 00 00000000 000008 06 00 00000000 0000000000000000 000001 01 04 00000001 89, true", // a ping, 204
        "000000 04 00 00000000 000001 01 05 00000001 8e, false", // :status 500
        "000000 04 00 00000000 000004 03 00 00000001 00000007, false", // refused
        "000000 04 00 00000000 000001 01 05 00000001 ff, false", // no field section
        "485454502f312e3120323030204f4b0d0a0d0a, false" // HTTP/1.1 200 OK
    })
    void servers_of_http_2_are_asked_by_it(String frames, boolean good) {
        assertThat(probedByHttp2(frames)).isEqualTo(good);
    }
}
