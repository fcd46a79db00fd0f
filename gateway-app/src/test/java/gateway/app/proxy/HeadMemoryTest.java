package gateway.app.proxy;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.RequestThreadMode;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What heads and connections draw on their memory, and what becomes of those for whom there is none.
@Timeout(60)
final class HeadMemoryTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(10);
    private static final long AT_HAND = 64 << 10; // bytes that the one IO thread may keep
    private static final int TIMES = 40; // of 3 KiB for a connection: more than that
    private static final String BEGIN = "GET /orders"; // of a head: no idle connection any more
    private static final String REST = " HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String GET = BEGIN + REST;

    private final List<RawConnection> clients = new ArrayList<>();
    private MemoryBudget memory = new MemoryBudget(16 << 20, 16 << 20);
    private Proxy proxy;

    @AfterEach
    void stop() throws IOException {
        for (RawConnection client : clients) client.close();
        if (proxy != null) proxy.close();
    }

    private void start(Duration head) throws IOException {
        proxy = Proxy.in(RequestThreadMode.IO)
                .ioThreads(1)
                .stripping("/orders")
                .settings(settings -> settings.withTimeouts(head, LONG, LONG).withMemory(memory))
                .start();
    }

    private RawConnection client() throws IOException {
        RawConnection client = RawConnection.to(proxy.dataPlane().address());
        clients.add(client);
        return client;
    }

    /// Fills another kind, as somebody else would.
    private void press(int of16) {
        Budget queue = memory.of(Kind.BODIES);
        queue.take(queue.most() / 16 * of16);
    }

    private void relieve(int of16) {
        Budget queue = memory.of(Kind.BODIES);
        queue.giveBack(queue.most() / 16 * of16);
    }

    private void answer() throws IOException {
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    }

    private void serve(RawConnection client) throws IOException {
        client.send(GET);
        answer();
        assertThat(Http.body(client.readAnswer())).isEqualTo("ok");
    }

    @Test
    void when_memory_is_tight_heads_have_less_time() throws IOException {
        start(SHORT);
        RawConnection slow = client().send("GET / HT");
        RawConnection next = client();
        serve(next);
        press(12);
        long from = System.nanoTime();

        assertThat(slow.isClosedByPeer()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(SHORT);
    }

    @Test
    void the_oldest_heads_that_are_not_whole_make_room_for_newcomers() throws IOException {
        memory = new MemoryBudget(16 << 20, 64 << 20);
        start(LONG);
        String part = "GET /?" + "a".repeat(14_000);

        for (int i = 0; i < 400; i++) { // twice as much as there is for all heads
            client().send(part);
            if (i % 10 == 0) serve(client());
        }

        assertThat(clients.getFirst().isClosedByPeer()).isTrue();
        assertThat(proxy.dataPlane().refusedConnectionsOfMemory()).isZero();
        assertThat(memory.of(Kind.HEADS).refused()).isZero();
    }

    @Test
    void with_direct_memory_spent_requests_are_read_and_answered_503_by_way_of_the_heap() throws IOException {
        start(LONG);
        RawConnection client = client();
        serve(client);
        Budget direct = memory.of(Kind.BUFFERS);
        long rest = direct.most() - direct.taken();

        client.send(BEGIN);
        direct.take(rest);
        String refusal = client.send(REST).readAnswer();
        direct.giveBack(rest);

        assertThat(Http.start(refusal)).isEqualTo("HTTP/1.1 503 Service Unavailable");
        serve(client);
    }

    @Test
    void when_memory_is_spent_requests_are_answered_503_on_connections_that_go_on() throws IOException {
        start(LONG);
        RawConnection client = client();
        serve(client);

        client.send(BEGIN);
        press(15);
        String refusal = client.send(REST).readAnswer();
        relieve(15);

        assertThat(Http.start(refusal)).isEqualTo("HTTP/1.1 503 Service Unavailable");
        assertThat(Http.only(refusal, "Retry-After")).isEqualTo("1");
        assertThat(Http.body(refusal)).contains("urn:gateway:problem:overloaded");
        serve(client);
    }

    @Test
    void there_are_no_more_connections_than_there_is_memory_for() throws IOException {
        memory = new MemoryBudget(1 << 20, 1 << 20);
        start(LONG);
        Budget connections = memory.of(Kind.CONNECTIONS);

        while (proxy.dataPlane().refusedConnectionsOfMemory() == 0) client();

        assertThat(connections.taken()).isBetween(connections.most() / 2, connections.most());
        for (RawConnection each : clients) each.close();
        until(() -> connections.taken() == 0);
    }

    /// A way for a connection's requests to end, after which only the client is left to close it.
    private record End(String name, Ending ending) {
        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    private interface Ending {
        void of(HeadMemoryTest test, RawConnection client) throws IOException;
    }

    static List<End> ends() {
        return List.of(
                new End("nothing sent", (_, _) -> {}),
                new End("part of a head", (_, client) -> client.send("GET /orders HTTP/1.1\r\nHo")),
                new End("answered", HeadMemoryTest::serve),
                new End("answered twice", (test, client) -> {
                    test.serve(client);
                    test.serve(client);
                }),
                new End("more behind a request", (test, client) -> {
                    client.send(GET + GET + "GET /or");
                    test.answer();
                    test.answer();
                    client.readAnswer();
                    client.readAnswer();
                }),
                new End("the client leaves while the upstream is awaited", (test, client) -> {
                    client.send(GET);
                    test.proxy.upstream().accept().readHead();
                }),
                new End("the client leaves in the middle of a body", (test, client) -> {
                    client.send("POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\nabc");
                    test.proxy.upstream().accept().readHead();
                }),
                new End("the upstream breaks off", (test, client) -> {
                    client.send(GET);
                    RawConnection upstream = test.proxy.upstream().accept();
                    upstream.readHead();
                    upstream.close();
                    client.readAnswer();
                }),
                new End(
                        "refused: no request",
                        (_, client) -> client.send("nonsense\r\n\r\n").readAnswer()),
                new End(
                        "refused: too long",
                        (_, client) -> client.send("GET /" + "a".repeat(40_000)).readAnswer()),
                new End("HTTP/1.0", (test, client) -> {
                    client.send("GET /orders HTTP/1.0\r\nHost: a\r\n\r\n");
                    test.answer();
                    client.readAnswer();
                }));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void however_requests_end_nothing_stays_held(End end) throws IOException {
        start(LONG);

        for (int i = 0; i < TIMES; i++) {
            RawConnection client = client();
            end.ending().of(this, client);
            client.close();
        }

        until(() -> memory.of(Kind.CONNECTIONS).taken() <= AT_HAND);
        until(() -> memory.of(Kind.HEADS).taken() <= AT_HAND);
    }
}
