package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.PING;
import static gateway.app.proxy.Http2Wire.REFUSED_STREAM;
import static gateway.app.proxy.Http2Wire.RST_STREAM;
import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.joined;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.TargetDefinition;
import gateway.http.Response;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.memory.Pressure;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What connections of HTTP/2 whose requests have long heads and do not end leave to those of others. The upstream
/// takes no connection, but for `/good` it is not asked.
@Timeout(60)
final class Http2GreedTest {
    private static final int GREEDY = 40;
    private static final String[] LONG_HEAD =
            joined(head("GET", "/"), "x-one", "y".repeat(7_000), "x-two", "y".repeat(7_000));
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Policy GOOD = exchange ->
            exchange.path().equals("/good") ? Verdict.stop(Response.of(200, "text/plain", bytes())) : Verdict.proceed();

    private final MemoryBudget memory = new MemoryBudget(64 << 20, 1 << 30);
    private final Budget heads = memory.of(Kind.HEADS);
    private final FullBacklog nobody = new FullBacklog();
    private final List<Http2Wire> greedy = new ArrayList<>();
    private final Http2Gateway gateway;

    Http2GreedTest() throws IOException {
        gateway = Http2Gateway.inFrontOf(
                OneRoute.patientlyTo(new TargetDefinition(URI.create(nobody.url()), 1)),
                plane -> plane.withMemory(memory).withTimeouts(Duration.ofSeconds(10), LONG, LONG),
                GOOD);
    }

    @AfterEach
    void close() throws IOException {
        for (Http2Wire each : greedy) each.close();
        gateway.close();
        nobody.close();
    }

    private static byte[] bytes() {
        return "ok".getBytes(US_ASCII);
    }

    @Test
    void greedy_connections_leave_room_for_ordinary_ones() throws IOException {
        for (int i = 0; i < GREEDY; i++) greed();

        assertThat(heads.pressure()).isEqualTo(Pressure.NONE);
        assertThat(heads.taken()).as("they have what may be given").isGreaterThan(heads.most() / 2);
        try (RawConnection one = gateway.plain();
                Http2Wire other = gateway.wire()) {
            for (int i = 0; i < 20; i++) {
                assertThat(one.send("GET /good HTTP/1.1\r\nHost: a.example\r\n\r\n")
                                .readAnswer())
                        .startsWith("HTTP/1.1 200 ");
                assertThat(other.get(1 + 2 * i, "/good").answer(1 + 2 * i).status())
                        .isEqualTo("200");
            }
        }
        assertThat(gateway.dataPlane().refusedConnectionsOfMemory()).isZero();
    }

    @Test
    void a_connection_alone_has_its_whole_share_and_is_refused_streams_past_it() throws IOException {
        Http2Wire alone = greed();

        assertThat(heads.taken()).isBetween(heads.most() / 40, heads.most() / 32 + 64 * 1024);
        assertThat(alone.get(1001, "/good").answer(1001).status()).isEqualTo("200");
    }

    /// Asks for more than it may hold, until it is refused.
    private Http2Wire greed() throws IOException {
        Http2Wire client = gateway.wire();
        greedy.add(client);
        for (int stream = 1; stream < 40; stream += 2) client.headers(stream, true, LONG_HEAD);
        assertThat(client.next(RST_STREAM).code()).isEqualTo(REFUSED_STREAM);
        client.frame(PING, 0, 0, new byte[8]).next(PING);
        return client;
    }
}
