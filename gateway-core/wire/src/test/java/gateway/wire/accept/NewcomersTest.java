package gateway.wire.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.net.IpRange;
import gateway.net.IpRanges;
import gateway.wire.io.Credit;
import gateway.wire.io.Newcomer;
import gateway.wire.io.NewcomersTurn;
import gateway.wire.io.NextTurn;
import gateway.wire.io.SilentConnections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xnio.ChannelListeners;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/// Whose turn it is when many connect or send at once, on real sockets.
final class NewcomersTest {
    private static final int NEWCOMERS = 100;
    private static final int KNOWN = 10;
    private static final int BROKEN = 20; // the newcomer that cannot be taken
    private static final long WORK_NANOS = TimeUnit.MICROSECONDS.toNanos(100); // that each of them makes
    private static final InetAddress PROVEN = InetAddress.ofLiteral("127.0.0.2");
    private static final InetAddress PROXY = InetAddress.ofLiteral("127.0.0.3");

    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final Map<XnioIoThread, NewcomersTurn> turns = new ConcurrentHashMap<>();
    private final Credit credit = new Credit();
    private final List<Socket> clients = new ArrayList<>();
    private final List<Newcomer> waiting = new ArrayList<>(); // used on the IO thread
    private volatile boolean breaks;
    private int arrived; // used on the IO thread
    private XnioWorker worker;
    private InetSocketAddress address;

    @BeforeEach
    void listen() throws Exception {
        worker = Xnio.getInstance()
                .createWorker(
                        OptionMap.builder().set(Options.WORKER_IO_THREADS, 1).getMap());
        var proxies = IpRanges.of(List.of((IpRange) IpRange.parse("127.0.0.3")));
        var told = new ProxiedArrival(proxies, _ -> new SilentConnections(), Duration.ofSeconds(60), this::take);
        var newcomers = new Newcomers(this::turn, (_, _) -> true, credit, proxies, told);
        var server = worker.createStreamConnectionServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ChannelListeners.openListenerAdapter(newcomers::accept),
                OptionMap.EMPTY);
        server.resumeAccepts();
        address = server.getLocalAddress(InetSocketAddress.class);
    }

    private NewcomersTurn turn(XnioIoThread io) {
        return turns.computeIfAbsent(io, each -> new NewcomersTurn(each, new NextTurn(each)));
    }

    private void take(StreamConnection connection, InetSocketAddress client, Newcomer newcomer) {
        if (breaks && arrived++ == BROKEN) throw new IllegalStateException("broken");
        work();
        connection.getSourceChannel().setReadListener(source -> {
            source.suspendReads();
            work();
            waiting.remove(newcomer);
            events.add("read " + client.getHostString());
            if (waiting.stream().anyMatch(Newcomer::awaitsTurn)) events.add("others wait");
        });
        connection.getSourceChannel().resumeReads();
        waiting.add(newcomer);
        events.add("taken " + client.getHostString());
    }

    private static void work() {
        long until = System.nanoTime() + WORK_NANOS;
        while (System.nanoTime() < until) Thread.onSpinWait();
    }

    @AfterEach
    void end() throws Exception {
        for (Socket each : clients) each.close();
        worker.shutdownNow();
    }

    @Test
    void who_is_proven_is_read_before_all_of_a_flood_are_taken() throws Exception {
        credit.earn(PROVEN);
        Socket known = connect(PROVEN);
        assertThat(next()).isEqualTo("taken 127.0.0.2");
        CountDownLatch busy = keepBusy();
        for (int i = 0; i < NEWCOMERS; i++) connect();
        known.getOutputStream().write(1);
        awaitAccepted(NEWCOMERS + 1);
        busy.countDown();

        List<String> seen = next(NEWCOMERS + 1);
        assertThat(seen.indexOf("read 127.0.0.2")).as("of %s", seen).isBetween(0, NEWCOMERS / 2);
    }

    @Test
    void who_is_proven_is_read_before_all_newcomers_that_have_sent() throws Exception {
        credit.earn(PROVEN);
        Socket known = connect(PROVEN);
        for (int i = 0; i < NEWCOMERS; i++) connect();
        next(NEWCOMERS + 1);
        CountDownLatch busy = keepBusy();
        for (Socket each : clients.subList(1, clients.size()))
            each.getOutputStream().write(1);
        known.getOutputStream().write(1);
        busy.countDown();

        List<String> seen = next(NEWCOMERS + 2);
        assertThat(seen.indexOf("read 127.0.0.2")).as("of %s", seen).isBetween(0, NEWCOMERS / 2);
        assertThat(seen).contains("others wait");
    }

    @Test
    void who_has_credit_is_taken_before_newcomers_that_came_earlier() throws Exception {
        credit.earn(PROVEN);
        CountDownLatch busy = keepBusy();
        for (int i = 0; i < NEWCOMERS; i++) connect();
        awaitAccepted(NEWCOMERS);
        for (int i = 0; i < KNOWN; i++) connect(PROVEN);
        awaitAccepted(NEWCOMERS + KNOWN);
        busy.countDown();

        List<String> seen = next(NEWCOMERS + KNOWN);
        assertThat(seen.lastIndexOf("taken 127.0.0.2")).as("of %s", seen).isBetween(0, NEWCOMERS / 2);
    }

    @Test
    void credit_is_spent_when_a_connection_speaks_and_not_while_it_keeps_silent() throws Exception {
        credit.earn(PROVEN);
        Socket silent = connect(PROVEN);
        Socket speaks = connect(PROVEN);
        next(2);
        speaks.getOutputStream().write(1);

        assertThat(next()).isEqualTo("read 127.0.0.2");
        assertThat(credit.spend(PROVEN)).isTrue();
        assertThat(credit.spend(PROVEN))
                .as("two were earned, one of them spent")
                .isFalse();
        assertThat(silent.isConnected()).isTrue();
    }

    @Test
    void who_takes_back_what_it_asked_spends_no_credit_on_what_it_asks_next() throws Exception {
        credit.earn(PROVEN);
        Socket client = connect(PROVEN);
        next();
        Newcomer newcomer = waiting.getFirst();
        CompletableFuture.runAsync(newcomer::abandoned, worker.getIoThread(0)).get();
        client.getOutputStream().write(1);

        assertThat(next()).isEqualTo("read 127.0.0.2");
        assertThat(newcomer.isProven()).isFalse();
        assertThat(credit.spend(PROVEN)).isTrue();
        assertThat(credit.spend(PROVEN)).isTrue();
    }

    @Test
    void a_flood_of_connections_by_who_has_credit_waits_for_the_turn_of_newcomers() throws Exception {
        credit.earn(PROVEN);
        Socket known = connect(PROVEN);
        next();
        CountDownLatch busy = keepBusy();
        for (int i = 0; i < NEWCOMERS; i++) connect(PROVEN);
        known.getOutputStream().write(1);
        awaitAccepted(NEWCOMERS + 1);
        busy.countDown();

        List<String> seen = next(NEWCOMERS + 1);
        assertThat(seen.indexOf("read 127.0.0.2")).as("of %s", seen).isBetween(0, NEWCOMERS / 2);
    }

    @Test
    void what_waits_of_a_connection_that_is_served_meanwhile_waits_no_longer() throws Exception {
        Socket first = connect(PROVEN);
        next();
        Newcomer newcomer = waiting.getFirst();
        CountDownLatch busy = keepBusy();
        for (int i = 0; i < NEWCOMERS; i++) connect();
        first.getOutputStream().write(1);
        awaitAccepted(NEWCOMERS + 1);
        serveWhenItWaits(newcomer, worker.getIoThread(0));
        busy.countDown();

        List<String> seen = next(NEWCOMERS + 1);
        assertThat(seen.indexOf("read 127.0.0.2")).as("of %s", seen).isBetween(0, NEWCOMERS / 2);
    }

    private static void serveWhenItWaits(Newcomer newcomer, XnioIoThread io) {
        io.executeAfter(
                () -> {
                    if (newcomer.awaitsTurn()) newcomer.served();
                    else serveWhenItWaits(newcomer, io);
                },
                1, // sooner, sockets would not be looked at in between
                TimeUnit.MILLISECONDS);
    }

    @Test
    void the_credit_of_who_comes_by_a_proxy_goes_by_the_address_that_it_tells() throws Exception {
        InetAddress told = InetAddress.ofLiteral("203.0.113.7");
        credit.earn(PROXY);
        credit.earn(told);
        Socket proxy = connect(PROXY);
        send(proxy, "PROXY TCP4 203.0.113.7 192.0.2.1 40000 443\r\n");

        assertThat(next()).isEqualTo("taken 203.0.113.7");
        send(proxy, "x");
        assertThat(next()).isEqualTo("read 203.0.113.7");
        assertThat(credit.spend(told)).isTrue();
        assertThat(credit.spend(told)).as("two were earned, one of them spent").isFalse();
        assertThat(credit.spend(PROXY)).isTrue();
        assertThat(credit.spend(PROXY)).isTrue();
    }

    @Test
    void one_that_cannot_be_taken_is_closed_and_keeps_no_other_waiting() throws Exception {
        breaks = true;
        CountDownLatch busy = keepBusy();
        for (int i = 0; i < NEWCOMERS; i++) connect();
        awaitAccepted(NEWCOMERS);
        busy.countDown();

        for (int i = 0; i < NEWCOMERS - 1; i++) assertThat(next()).isEqualTo("taken 127.0.0.1");
        assertThat(clients.get(BROKEN).getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void those_who_come_one_by_one_are_all_taken() throws Exception {
        for (int i = 0; i < NEWCOMERS; i++) {
            connect();
            assertThat(next()).isEqualTo("taken 127.0.0.1");
        }
    }

    private CountDownLatch keepBusy() {
        var busy = new CountDownLatch(1);
        worker.getIoThread(0).execute(() -> awaitQuietly(busy));
        return busy;
    }

    private Socket connect() throws IOException {
        return connect(InetAddress.ofLiteral("127.0.0.1"));
    }

    private Socket connect(InetAddress from) throws IOException {
        var client = new Socket(address.getAddress(), address.getPort(), from, 0);
        clients.add(client);
        return client;
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private String next() throws InterruptedException {
        String event = events.poll(10, TimeUnit.SECONDS);
        assertThat(event).as("an event within 10 s").isNotNull();
        return event;
    }

    private List<String> next(int count) throws InterruptedException {
        List<String> seen = new ArrayList<>();
        while (seen.size() < count) seen.add(next());
        return seen;
    }

    /// XNIO's accepting thread has handed all of them to the IO thread.
    private void awaitAccepted(int connections) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        var servers = worker.getMXBean().getServerMXBeans();
        while (servers.iterator().next().getConnectionCount() < connections) {
            assertThat(System.nanoTime()).as("accepted in time").isLessThan(until);
            Thread.onSpinWait();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
