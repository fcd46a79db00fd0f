import gateway.wire.tls.ServerTls;
import gateway.wire.tls.TlsSettings;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCounted;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;

/// What a TLS handshake costs the server by each engine of the gateway, without sockets: CPU time and allocation of
/// the server's side alone, against the same client (BoringSSL, TLS 1.3, X25519).
///
/// `java -cp gateway-app/target/gateway-app.jar perf/load/TlsHandshakes.java ENGINE FILE full|resumed [ROUNDS [EACH]]`
///
/// ENGINE is jdk or openssl, FILE a certificate and its key in PEM. Prints the least and the median of the rounds in
/// microseconds; the first rounds are slower, as the JIT compiler has not seen them.
final class TlsHandshakes {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final ServerTls servers;
    private final SslContext clients;
    private final boolean resuming;
    private final ByteBuffer toServer = ByteBuffer.allocateDirect(40_000);
    private final ByteBuffer toClient = ByteBuffer.allocateDirect(40_000);
    private final ByteBuffer plain = ByteBuffer.allocateDirect(40_000);
    private final Asked asked = new Asked();
    private long cpu;
    private long allocated;

    private TlsHandshakes(ServerTls servers, boolean resuming) throws SSLException {
        this.servers = servers;
        this.resuming = resuming;
        this.clients = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .trustManager(asked)
                .protocols("TLSv1.3")
                .endpointIdentificationAlgorithm(null)
                .option(OpenSslContextOption.GROUPS, new String[] {"x25519"})
                .build();
    }

    public static void main(String[] arguments) throws Exception {
        var engine = TlsSettings.Engine.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        var settings = new TlsSettings(
                List.of(new TlsSettings.Place(Path.of(arguments[1]), Optional.empty())),
                Optional.empty(),
                TlsSettings.Version.TLS_1_3,
                TlsSettings.ClientAuth.OFF,
                Optional.empty(),
                Optional.empty(),
                false,
                engine);
        var servers = ServerTls.of(settings, InstantSource.system());
        int rounds = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 30;
        int each = arguments.length > 4 ? Integer.parseInt(arguments[4]) : 500;
        new TlsHandshakes(servers, arguments[2].equals("resumed")).measure(rounds, each);
    }

    private void measure(int rounds, int each) throws SSLException {
        if (resuming) shake(); // for the first ticket
        var microseconds = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            cpu = 0;
            allocated = 0;
            int before = asked.times;
            for (int i = 0; i < each; i++) shake();
            if (asked.times - before != (resuming ? 0 : each))
                throw new IllegalStateException(asked.times - before + " of " + each + " were whole");
            microseconds[round] = cpu / 1e3 / each;
        }
        java.util.Arrays.sort(microseconds);
        System.out.printf(
                Locale.ROOT,
                "%s %s: least %.1f us, median %.1f us, %d bytes of heap%n",
                servers.engines(),
                resuming ? "resumed" : "full",
                microseconds[0],
                microseconds[rounds / 2],
                allocated / each);
    }

    private void shake() throws SSLException {
        toServer.clear();
        toClient.clear();
        SSLEngine client = resuming
                ? clients.newEngine(UnpooledByteBufAllocator.DEFAULT, "localhost", 443)
                : clients.newEngine(UnpooledByteBufAllocator.DEFAULT);
        client.beginHandshake();
        move(client, toClient, toServer);
        long began = THREADS.getCurrentThreadCpuTime();
        long had = THREADS.getCurrentThreadAllocatedBytes();
        SSLEngine server = servers.engine("");
        server.beginHandshake();
        move(server, toServer, toClient);
        count(began, had);
        move(client, toClient, toServer);
        began = THREADS.getCurrentThreadCpuTime();
        had = THREADS.getCurrentThreadAllocatedBytes();
        move(server, toServer, toClient);
        server.wrap(ByteBuffer.allocate(1), toClient); // and tickets that wait for a write
        count(began, had);
        move(client, toClient, toServer);
        client.closeOutbound();
        server.closeOutbound();
        release(client);
        release(server);
    }

    private void count(long began, long had) {
        cpu += THREADS.getCurrentThreadCpuTime() - began;
        allocated += THREADS.getCurrentThreadAllocatedBytes() - had;
    }

    /// Lets the engine read all that has come and write what it wants to.
    private void move(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        in.flip();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) task.run();
                }
                case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
                default -> {
                    if (!in.hasRemaining()) {
                        in.clear();
                        return;
                    }
                    plain.clear();
                    engine.unwrap(in, plain);
                }
            }
        }
    }

    private static void release(SSLEngine engine) {
        if (engine instanceof ReferenceCounted counted) counted.release();
    }

    /// Trusts every server, and counts how often it is asked to: once a whole handshake.
    private static final class Asked implements X509TrustManager {
        private int times;

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            times++;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
