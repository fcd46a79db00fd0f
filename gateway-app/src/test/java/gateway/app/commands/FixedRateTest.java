package gateway.app.commands;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

final class FixedRateTest {
    private static final LoadRequest GET = new LoadRequest("GET", "/", "a", List.of(), 0);

    private static final Duration STALL = Duration.ofMillis(300);

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger status = new AtomicInteger(200);
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        server.createContext("/stall", exchange -> {
            if (asked.getAndIncrement() == 0) LockSupport.parkNanos(STALL.toNanos());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void sends_every_request_that_is_due_however_busy_the_machine_is() throws IOException {
        try (FixedRate load = FixedRate.over(4, server.getAddress(), GET)) {
            RateResult result = load.run(200, Duration.ofMillis(100), Duration.ofMillis(500));

            assertThat(asked.get()).isEqualTo(120);
            assertThat(result.requests()).isEqualTo(100);
            assertThat(result.missed()).isZero();
            assertThat(result.latency().max())
                    .isGreaterThanOrEqualTo(result.latency().p50());
            assertThat(result.latency().mean()).isPositive();
        }
    }

    @Test
    void a_stall_is_seen_by_every_request_that_it_holds_up() throws IOException {
        var stalling = new LoadRequest("GET", "/stall", "a", List.of(), 0);
        try (FixedRate load = FixedRate.over(1, server.getAddress(), stalling)) {
            RateResult result = load.run(100, Duration.ofMillis(400));

            assertThat(result.requests()).isEqualTo(40);
            assertThat(result.latency().max()).isGreaterThan(299);
            assertThat(result.latency().p50()).as("most were due meanwhile").isGreaterThan(80);
        }
    }

    @Test
    void counts_bad_answers_with_the_last_status() throws IOException {
        status.set(429);
        try (FixedRate load = FixedRate.over(2, server.getAddress(), GET)) {
            RateResult result = load.run(100, Duration.ofMillis(200));

            assertThat(result.refused()).isEqualTo(20);
            assertThat(result.refusal()).isEqualTo(429);
            assertThat(result.isSound()).isFalse();
        }
    }

    @Test
    void a_server_that_went_away_breaks_connections_and_ends_the_run() throws IOException {
        try (FixedRate load = FixedRate.over(3, server.getAddress(), GET)) {
            server.stop(0);
            RateResult result = load.run(100, Duration.ofMillis(200));

            assertThat(result.broken()).isPositive();
            assertThat(result.requests()).isZero();
            assertThat(result.isSound()).isFalse();
        }
    }

    @Test
    void a_run_ends_when_another_thread_closes_it() throws Exception {
        FixedRate load = FixedRate.over(2, server.getAddress(), GET);
        var ended = CompletableFuture.supplyAsync(() -> {
            try {
                return load.peak(Duration.ofMinutes(5)).toString();
            } catch (IOException | RuntimeException e) {
                return e.getClass().getSimpleName();
            }
        });
        until(() -> asked.get() > 0);

        load.close();

        assertThat(ended.get(30, TimeUnit.SECONDS)).isIn("ClosedSelectorException", "CancelledKeyException");
    }

    @Test
    void finds_a_peak_by_sending_whenever_a_connection_is_free() throws IOException {
        try (FixedRate load = FixedRate.over(2, server.getAddress(), GET)) {
            RateResult result = load.peak(Duration.ofMillis(300));

            assertThat(result.requests()).isEqualTo(asked.get()).isPositive();
            assertThat(result.answered()).isPositive();
        }
    }

    @Test
    void as_a_command_it_refuses_what_would_be_no_request() {
        var said = new StringWriter();
        var command = new CommandLine(new LoadCommand()).setErr(new PrintWriter(said, true));

        assertThat(command.execute("http://127.0.0.1:99999/")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(command.execute("http://nowhere.invalid/")).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(command.execute("http://h/", "--method=GET /x")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(command.execute("http://h/", "--header=A: b\r\nC: d")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said.toString()).contains("expected http://HOST[:PORT]/PATH, got", "nowhere.invalid has no address");
    }

    @Test
    void as_a_command_it_prints_one_line_of_json() {
        var out = new StringWriter();
        int code = new CommandLine(new LoadCommand())
                .setOut(new PrintWriter(out, true))
                .execute(
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/x?y=z",
                        "--rate=100",
                        "--seconds=0.2",
                        "--connections=2");

        JsonNode told = Json.parse(out.toString());
        assertThat(code).isZero();
        assertThat(told.get("requests").asInt()).isEqualTo(20);
        assertThat(told.get("p99").asDouble()).isPositive();
    }
}
