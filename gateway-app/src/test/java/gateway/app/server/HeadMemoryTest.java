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
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(10);
    private static final String GET = "GET /orders HTTP/1.1\r\nHost: a\r\n\r\n";

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
