package gateway.app.proxy;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.accept.ConnectionLimits;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.tls.TlsSettings.Engine;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that say who they are, by a first message that is whole, and nothing more; and those who come after them.
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
@Timeout(60)
final class SilentHandshakesTest {
    private static final int MANY = 110; // fewer than there may be connections
    private static final String REQUEST = "GET /x HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";

    private final Engine engine;
    private final List<Socket> clients = new ArrayList<>();
    private final MemoryBudget memory = new MemoryBudget(64 << 20, 2 << 20); // of which 85 engines may shake hands
    private SecureGateway gateway;

    SilentHandshakesTest(Engine engine) {
        this.engine = engine;
    }

    private void start(UnaryOperator<DataPlaneSettings> plane, Policy... policies) throws IOException {
        gateway = new SecureGateway((own, usual) -> SecureGateway.by(engine, usual), plane, policies);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket client : clients) client.close();
        if (gateway != null) gateway.close();
    }

    @Test
    void the_oldest_engines_make_room_for_newcomers() throws IOException {
        start(plane -> plane.withMemory(memory));
        byte[] hello = hello();
        for (int i = 0; i < MANY; i++) silent().getOutputStream().write(hello);
        until(() -> gateway.dataPlane().handshakes() + gateway.dataPlane().failedHandshakes() == MANY);

        assertThat(gateway.exchange(REQUEST)).startsWith("HTTP/1.1 200 ");
        Budget engines = memory.of(Kind.ENGINES);
        assertThat(engines.taken()).isLessThanOrEqualTo(engines.most());
        assertThat(gateway.dataPlane().failedHandshakes()).isGreaterThan(MANY - 90);
    }

    @Test
    void a_client_that_goes_on_is_served_while_others_come_in_silence() throws IOException {
        start(plane -> plane.withMemory(memory));
        byte[] hello = hello();

        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 60; i++) silent().getOutputStream().write(hello);
            assertThat(gateway.exchange(REQUEST)).startsWith("HTTP/1.1 200 ");
        }
    }

    /// The IO thread is kept by a request while the eldest answers and newcomers arrive: it takes those first.
    @Test
    void who_has_answered_is_let_in_rather_than_displaced() throws IOException, InterruptedException {
        var kept = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        start(plane -> plane.withConnections(new ConnectionLimits(40, 0)), exchange -> {
            if (!exchange.path().equals("/keep")) return Verdict.proceed();
            kept.countDown();
            while (over.getCount() > 0) Thread.onSpinWait();
            return Verdict.proceed();
        });
        var eldest = new Late();
        SSLSocket tls = (SSLSocket)
                gateway.authority.client().getSocketFactory().createSocket(eldest, "a.example", gateway.port(), true);
        Thread shaking = Thread.ofVirtual().start(() -> handshake(tls));
        eldest.answered.await();
        for (int i = 0; i < 20; i++) silent();
        until(() -> gateway.dataPlane().handshakes() == 21);
        plain().getOutputStream().write("GET /keep HTTP/1.1\r\nHost: a.example\r\n\r\n".getBytes(US_ASCII));
        kept.await();

        eldest.goOn.countDown();
        shaking.join();
        for (int i = 0; i < 60; i++) silent();
        over.countDown();

        assertThat(SecureGateway.exchange(tls, REQUEST)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void the_oldest_handshakes_make_room_for_newcomers_of_both_listeners() throws IOException {
        start(plane -> plane.withConnections(new ConnectionLimits(40, 0)));
        for (int i = 0; i < 40; i++) silent();
        until(() -> gateway.dataPlane().handshakes() == 40);

        assertThat(gateway.exchange(REQUEST)).startsWith("HTTP/1.1 200 ");
        Socket first = plain();
        Socket second = plain();
        assertThat(SecureGateway.exchange(first, REQUEST)).startsWith("HTTP/1.1 200 ");
        assertThat(SecureGateway.exchange(second, REQUEST)).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.dataPlane().refusedConnections()).isZero();
        assertThat(gateway.dataPlane().failedHandshakes()).isBetween(1L, 3L);
        assertThat(clients.getFirst().getInputStream().read()).as("the eldest").isEqualTo(-1);
    }

    @Test
    void the_oldest_handshakes_make_room_when_connections_take_all_of_their_memory() throws IOException {
        var small = new MemoryBudget(16 << 20, 1 << 20); // room for 64 connections
        start(plane -> plane.withMemory(small));
        int most = (int) gateway.dataPlane().mostConnections();
        for (int i = 0; i < most; i++) silent();
        until(() -> gateway.dataPlane().handshakes() == most);

        for (int i = 0; i < 5; i++) assertThat(gateway.exchange(REQUEST)).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.dataPlane().refusedConnectionsOfMemory()).isZero();
    }

    /// The first message of a client as it stands on the wire.
    private byte[] hello() throws SSLException {
        SSLEngine client = gateway.authority.client().createSSLEngine("a.example", gateway.port());
        client.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        client.wrap(ByteBuffer.allocate(0), record);
        return Arrays.copyOf(record.array(), record.position());
    }

    private Socket silent() throws IOException {
        return client(gateway.port());
    }

    private Socket plain() throws IOException {
        return client(gateway.dataPlane().address().getPort());
    }

    private Socket client(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        clients.add(socket);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static void handshake(SSLSocket client) {
        try {
            client.startHandshake();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A socket that sends its first piece, the hello, at once, and what follows when it may.
    private final class Late extends Socket {
        private final CountDownLatch answered = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final AtomicBoolean spoke = new AtomicBoolean();

        Late() throws IOException {
            super(InetAddress.getLoopbackAddress(), gateway.port());
            clients.add(this);
            setTcpNoDelay(true); // else its last piece waits for the peer, which is kept
            setSoTimeout(10_000);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    if (spoke.getAndSet(true)) {
                        answered.countDown();
                        awaitLeave();
                    }
                    out.write(bytes, offset, length);
                }
            };
        }

        private void awaitLeave() throws IOException {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
