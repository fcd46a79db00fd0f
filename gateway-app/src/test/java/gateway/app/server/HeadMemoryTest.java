package gateway.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.budget.Budget;
import gateway.app.budget.Kind;
import gateway.app.budget.MemoryBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What heads and connections draw on their memory, and what becomes of those for whom there is none.
@Timeout(60)
final class HeadMemoryTest {
    private static final long AT_HAND = 64 * 1024; // what an IO thread keeps of a kind
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(10);
    private static final String GET = "GET /orders HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String LARGE = "GET /?" + "a&".repeat(6_000);

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

    private Budget heads() {
        return memory.of(Kind.HEADS);
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

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) Thread.onSpinWait();
    }

    private void serve(RawConnection client) throws IOException {
        client.send(GET);
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();
        upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        assertThat(Http.body(client.readAnswer())).isEqualTo("ok");
    }

    @Test
    void a_head_for_which_there_is_no_memory_is_answered_503_and_closed_and_others_go_on() throws IOException {
        start(LONG);
        RawConnection good = client();
        serve(good);
        long share = heads().most();

        while (heads().refused() == 0) client().send(LARGE);

        RawConnection refused = clients.getLast();
        String answer = refused.readAnswer();
        assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 503 Service unavailable");
        assertThat(Http.only(answer, "Connection")).isEqualTo("close");
        assertThat(Http.only(answer, "Retry-After")).isEqualTo("1");
        assertThat(Http.body(answer)).contains("urn:gateway:problem:overloaded");
        assertThat(refused.isClosedByPeer()).isTrue();
        assertThat(heads().taken()).isBetween(share / 2, share);
        assertThat(proxy.dataPlane().malformedRequests()).isZero();
        assertThat(proxy.dataPlane().refusedRequests()).isPositive();
    }

    @Test
    void what_is_held_is_given_back_whatever_becomes_of_a_connection() throws IOException {
        start(LONG);
        for (int round = 0; round < 40; round++) {
            serve(client());
            client().send(GET.replace("/orders", "/nobody")).readAnswer();
            client().send(GET.replace("Host: a", "Host: a/b")).readAnswer();
            client().send(LARGE);
            client().send(GET + GET + GET.substring(0, 20));
            proxy.upstream().accept().readHead();
            client().send("POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello");
            proxy.upstream().accept().readUntil("hello");
            client().send(
                            "POST /orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n");
            client().send("GET /orders HTTP/1.1\r\nHost: a\r\nX: " + "y".repeat(20_000) + "\r\n\r\n");
            for (RawConnection each : clients) {
                if (round % 2 == 0) each.reset();
                else each.close();
            }
            clients.clear();
            await(() -> proxy.dataPlane().connections() == 0);
        }

        await(() -> heads().taken() <= AT_HAND);
        assertThat(memory.of(Kind.CONNECTIONS).taken()).isZero();
        assertThat(heads().refused()).isZero();
    }

    @Test
    void a_request_holds_memory_until_its_end_and_what_waits_behind_it_too() throws IOException {
        start(LONG);
        RawConnection client = client();
        String large = GET.replace("Host: a", "Host: a\r\nX: " + "y".repeat(30_000));
        List<RawConnection> upstreams = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            client().send(large);
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstreams.add(upstream);
        }
        long underWay = heads().taken();
        for (RawConnection each : clients) each.send(GET.replace("/orders", "/" + "b".repeat(12_000)));
        await(() -> heads().taken() > underWay + 90_000);

        for (RawConnection each : upstreams) each.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
        clients.remove(client);
        for (RawConnection each : clients) {
            assertThat(Http.start(each.readHead())).isEqualTo("HTTP/1.1 204 No Content");
            assertThat(Http.start(each.readAnswer())).isEqualTo("HTTP/1.1 404 Not Found");
            each.close();
        }
        clients.clear();
        client.close();

        assertThat(underWay).isGreaterThan(10 * 30_000);
        await(() -> heads().taken() <= AT_HAND);
    }

    @Test
    void when_memory_is_tight_new_and_idle_connections_are_closed_and_requests_under_way_are_not() throws IOException {
        start(LONG);
        RawConnection idle = client();
        serve(idle);
        RawConnection silent = client();
        RawConnection busy = client();
        serve(busy);
        busy.send(GET);
        RawConnection upstream = proxy.upstream().accept();
        upstream.readHead();

        press(12);
        assertThat(client().isClosedByPeer()).isTrue();
        assertThat(idle.isClosedByPeer()).isTrue();
        assertThat(silent.isClosedByPeer()).isTrue();
        upstream.send("HTTP/1.1 204 No Content\r\n\r\n");
        assertThat(Http.start(busy.readHead())).isEqualTo("HTTP/1.1 204 No Content");
        assertThat(busy.isClosedByPeer()).isTrue();
        assertThat(proxy.dataPlane().refusedConnectionsOfMemory()).isOne();
        assertThat(proxy.dataPlane().refusedConnections()).isZero();

        relieve(12);
        serve(client());
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
    void when_memory_is_spent_requests_are_answered_503_on_connections_that_go_on() throws IOException {
        start(LONG);
        RawConnection client = client();
        serve(client);

        press(15);
        String refusal = client.send(GET).readAnswer();
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
        await(() -> connections.taken() == 0);
    }
}
