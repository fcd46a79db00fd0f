package gateway.app.proxy;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Response;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.tls.TlsSettings.Engine;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What TLS connections hold while nothing moves, and what becomes of those that hold when there is no room for all.
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
final class TlsMemoryTest {
    private static final String HOST = "Host: a.example\r\n";
    private static final String GET = "GET /x HTTP/1.1\r\n" + HOST + "\r\n";
    private static final int RECORD = 15_000; // what JSSE surely sends as one
    private static final int LARGE = 8_000_000; // more than sockets hold
    private static final int AT_HAND = 64 * 1024; // of a purse
    private static final byte[] CONTENT = new byte[LARGE];
    private static final Policy LARGE_ANSWERS =
            _ -> Verdict.stop(Response.of(200, "application/octet-stream", CONTENT));

    private final Engine engine;
    private final List<Socket> clients = new ArrayList<>();
    private SecureGateway gateway;
    private MemoryBudget memory;

    TlsMemoryTest(Engine engine) {
        this.engine = engine;
    }

    /// @param heap of which a sixteenth is for records
    /// @param direct of which half as much is for engines
    private void start(int heap, int direct, Policy... policies) throws IOException {
        memory = new MemoryBudget(heap, direct);
        gateway = new SecureGateway(
                (own, usual) -> SecureGateway.by(engine, usual), plane -> plane.withMemory(memory), policies);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket client : clients) client.close();
        if (gateway != null) gateway.close();
    }

    @Test
    void a_hello_that_is_not_whole_takes_no_engine() throws IOException {
        start(16 << 20, 64 << 20);
        for (int i = 0; i < 100; i++) begin(new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3});
        until(() -> gateway.dataPlane().handshakes() == 100);

        assertThat(gateway.exchange(last())).startsWith("HTTP/1.1 200 ");
        assertThat(held(Kind.ENGINES)).isLessThanOrEqualTo(AT_HAND);
        assertThat(held(Kind.RECORDS)).isLessThanOrEqualTo(AT_HAND);
    }

    @Test
    void a_record_of_another_kind_that_is_not_whole_takes_no_engine_either() throws IOException {
        start(16 << 20, 64 << 20);
        for (int i = 0; i < 50; i++) begin(new byte[] {22, 3, 1, 2, 0, 'a'});
        for (int i = 0; i < 50; i++) begin(new byte[] {21});
        until(() -> gateway.dataPlane().handshakes() == 100);

        assertThat(gateway.exchange(last())).startsWith("HTTP/1.1 200 ");
        assertThat(held(Kind.ENGINES)).isLessThanOrEqualTo(AT_HAND);
    }

    @Test
    void a_hello_octet_by_octet_is_answered() throws IOException {
        start(16 << 20, 64 << 20);
        Cut cut = new Cut(true);
        SSLSocket client = over(cut);

        assertThat(SecureGateway.exchange(client, last())).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void hands_are_shaken_before_the_client_has_anything_to_say() throws IOException {
        start(16 << 20, 64 << 20);
        SSLSocket client = over(new Cut(false));
        client.startHandshake();

        until(() -> gateway.dataPlane().handshakes() == 0);
        assertThat(gateway.dataPlane().connections()).isEqualTo(1);
        assertThat(SecureGateway.exchange(client, last())).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void what_clients_held_is_free_once_they_have_gone() throws IOException {
        start(64 << 20, 64 << 20, LARGE_ANSWERS);
        long before = held(Kind.BUFFERS);
        for (int i = 0; i < 50; i++) {
            begin(new byte[] {22, 3, 1, 2, 0});
            unfinishedRecord();
            unreadAnswer();
        }
        until(() -> gateway.dataPlane().handshakes() == 50 && held(Kind.RECORDS) > 40 * RECORD);

        for (Socket client : clients) client.close();
        until(() -> gateway.dataPlane().connections() == 0);
        until(() -> held(Kind.RECORDS) <= AT_HAND && held(Kind.ENGINES) <= AT_HAND && held(Kind.HEADS) <= AT_HAND);
        until(() -> held(Kind.BUFFERS) <= before + 64 * RECORD); // spare ones of the thread
        assertThat(gateway.dataPlane().handshakes()).isZero();
    }

    /// A sixteenth of 16 MiB is room for 69 of 300.
    @Test
    void those_that_leave_a_record_unfinished_for_longest_make_room_for_others() throws IOException {
        start(16 << 20, 64 << 20);
        List<SSLSocket> cut = new ArrayList<>();
        for (int i = 0; i < 300; i++) cut.add(unfinishedRecord());
        until(() -> closed(cut) >= 200);

        assertThat(closed(cut.subList(0, 150))).as("the eldest").isGreaterThanOrEqualTo(140);
        assertThat(held(Kind.RECORDS))
                .isLessThanOrEqualTo(memory.of(Kind.RECORDS).most());
        String body = "0123456789abcdef".repeat(60_000);
        String answer = gateway.exchange("POST /echo HTTP/1.1\r\n" + HOST + "Connection: close\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.upstream.requests.getLast().body()).isEqualTo(body);
    }

    @Test
    void a_record_that_waited_while_others_came_is_read_whole() throws IOException {
        start(64 << 20, 64 << 20);
        Cut late = new Cut(false);
        SSLSocket client = over(late);
        client.startHandshake();
        late.withheld = true;
        String body = "0123456789abcdef".repeat(900);
        client.getOutputStream()
                .write(("POST /echo HTTP/1.1\r\n" + HOST + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                        .getBytes(ISO_8859_1));
        for (int i = 0; i < 40; i++) unfinishedRecord(); // more than keep a buffer
        until(() -> held(Kind.RECORDS) > 20 * RECORD);

        late.goOn();
        assertThat(new RawConnection(client).readAnswer()).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.upstream.requests.getLast().body()).isEqualTo(body);
    }

    @Test
    void answers_that_nobody_reads_hold_what_they_must_and_others_get_theirs_whole() throws IOException {
        start(16 << 20, 64 << 20, LARGE_ANSWERS);
        for (int i = 0; i < 150; i++) unreadAnswer();
        until(() -> gateway.dataPlane().requestsAwaitingClients() > 20);

        SSLSocket client = gateway.socket();
        var good = new RawConnection(client).send(GET);
        assertThat(Http.contentLength(good.readHead())).isEqualTo(LARGE);
        assertThat(good.read(LARGE)).hasSize(LARGE);
        assertThat(held(Kind.RECORDS))
                .isLessThanOrEqualTo(memory.of(Kind.RECORDS).most());
    }

    /// Half of 1 MiB is room for 42 engines that shake hands.
    @Test
    void a_client_for_whose_engine_there_is_no_room_is_closed_and_counted() throws IOException {
        start(64 << 20, 1 << 20);
        List<SSLSocket> established = new ArrayList<>();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        SSLSocket client = over(new Cut(false));
                        client.startHandshake();
                        established.add(client);
                    }
                })
                .isInstanceOf(IOException.class);
        Budget engines = memory.of(Kind.ENGINES);
        assertThat(established).hasSizeBetween(30, 64);
        assertThat(engines.taken()).isLessThanOrEqualTo(engines.most());
        assertThat(gateway.dataPlane().failedHandshakes()).isEqualTo(1);
        assertThat(SecureGateway.exchange(established.getFirst(), last())).startsWith("HTTP/1.1 200 ");

        for (Socket client : clients) client.close();
        until(() -> gateway.dataPlane().connections() == 0 && engines.taken() <= AT_HAND);
        assertThat(gateway.exchange(last())).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void a_handshake_has_little_time_when_memory_is_tight() throws IOException {
        start(16 << 20, 64 << 20);
        begin(new byte[] {22, 3, 1, 2, 0});
        until(() -> gateway.dataPlane().handshakes() == 1);
        Budget bodies = memory.of(Kind.BODIES);

        long from = System.nanoTime();
        bodies.take(bodies.most() / 16 * 12);
        until(() -> gateway.dataPlane().handshakes() == 0);
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(9));
        assertThat(gateway.dataPlane().failedHandshakes()).isOne();

        bodies.giveBack(bodies.most() / 16 * 12);
        assertThat(gateway.exchange(last())).startsWith("HTTP/1.1 200 ");
    }

    private void begin(byte[] bytes) throws IOException {
        new Cut(false).getOutputStream().write(bytes);
    }

    /// A client that has sent a request's head, and one octet less than all of a record of its body.
    private SSLSocket unfinishedRecord() throws IOException {
        Cut cut = new Cut(false);
        SSLSocket client = over(cut);
        client.startHandshake();
        cut.withheld = true;
        client.getOutputStream().write(new byte[RECORD]);
        return client;
    }

    private void unreadAnswer() throws IOException {
        SSLSocket client = over(new Cut(false));
        client.getOutputStream().write(GET.getBytes(ISO_8859_1));
    }

    private SSLSocket over(Cut cut) throws IOException {
        return (SSLSocket)
                gateway.authority.client().getSocketFactory().createSocket(cut, "a.example", gateway.port(), true);
    }

    private static int closed(List<SSLSocket> sockets) {
        int closed = 0;
        for (SSLSocket each : sockets) {
            try {
                each.setSoTimeout(1);
                if (each.getInputStream().read() < 0) closed++;
            } catch (java.net.SocketTimeoutException e) {
                // it stands
            } catch (IOException e) {
                closed++;
            }
        }
        return closed;
    }

    private long held(Kind kind) {
        return memory.of(kind).taken();
    }

    private static String last() {
        return "GET /x HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";
    }

    /// A socket that keeps the last octet of what is written to itself, or writes octet by octet.
    private final class Cut extends Socket {
        private final boolean dripping;
        private volatile boolean withheld;
        private int kept = -1;

        Cut(boolean dripping) throws IOException {
            super(InetAddress.getLoopbackAddress(), gateway.port());
            this.dripping = dripping;
            clients.add(this);
            setTcpNoDelay(true);
            setSoTimeout(30_000);
        }

        void goOn() throws IOException {
            withheld = false;
            super.getOutputStream().write(kept);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    int all = withheld ? length - 1 : length;
                    if (withheld) kept = bytes[offset + length - 1] & 0xff;
                    if (!dripping) out.write(bytes, offset, all);
                    for (int i = 0; dripping && i < all; i++) out.write(bytes, offset + i, 1);
                }
            };
        }
    }
}
