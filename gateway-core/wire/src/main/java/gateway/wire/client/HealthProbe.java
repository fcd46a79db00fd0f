package gateway.wire.client;

import gateway.net.UpstreamProtocol;
import gateway.net.UpstreamTls;
import gateway.wire.tls.ClientTls;
import gateway.wire.tls.TlsFilesException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;

/// The checks of one target, each on a connection of its own with blocking reads: for one thread, of the JDK's
/// scheduler.
public final class HealthProbe {
    private static final int STATUS_LINE = "HTTP/1.1 200".length();

    private final ProbeTerms terms;
    private final Target target;
    private final Resolver resolver;
    private @Nullable ClientTls tls;

    public HealthProbe(ProbeTerms terms, Target target, Resolver resolver) {
        this.terms = terms;
        this.target = target;
        this.resolver = resolver;
    }

    /// Whether the target is well; whatever goes wrong says no.
    public boolean isGood() {
        List<InetAddress> addresses = resolver.known(target.address().host(), Long.MAX_VALUE);
        if (addresses == null || addresses.isEmpty()) return false;
        long deadline = System.nanoTime() + terms.timeout().toNanos();
        try (var socket = new Socket()) {
            var address =
                    new InetSocketAddress(addresses.getFirst(), target.address().port());
            socket.connect(address, millisUntil(deadline));
            return terms.kind() == ProbeTerms.Kind.TCP || isWell(socket, deadline);
        } catch (IOException | TlsFilesException e) { // the latter: files of its TLS have gone
            return false;
        }
    }

    private boolean isWell(Socket socket, long deadline) throws IOException {
        UpstreamTls settings = target.address().tls();
        if (settings == null) return answersWell(socket, deadline);
        Future<?> end = CompletableFuture.runAsync( // the reads that make a record have no deadline together
                () -> IoUtils.safeClose(socket),
                CompletableFuture.delayedExecutor(millisUntil(deadline), TimeUnit.MILLISECONDS));
        try {
            return answersWell(secured(socket, settings), deadline);
        } finally {
            end.cancel(false);
        }
    }

    private SSLSocket secured(Socket plain, UpstreamTls settings) throws IOException {
        if (tls == null) tls = ClientTls.of(settings);
        SSLSocket socket = tls.over(plain, isHttp2() ? UpstreamProtocols.HTTP_2 : UpstreamProtocols.HTTP_1);
        try {
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            tls.tell(e);
            throw e;
        }
    }

    private boolean answersWell(Socket socket, long deadline) throws IOException {
        return switch (terms.kind()) {
            case TCP -> true;
            case HTTP -> terms.good().test(status(socket, deadline));
            case GRPC -> new GrpcProbe(socket, deadline).serves(target.authority(), terms.service());
        };
    }

    /// Where ALPN chooses, HTTP/1.1 does.
    private boolean isHttp2() {
        return terms.kind() == ProbeTerms.Kind.GRPC
                || target.address().protocol() == UpstreamProtocol.H2
                || target.address().protocol() == UpstreamProtocol.H2C;
    }

    private int status(Socket socket, long deadline) throws IOException {
        return isHttp2() ? new Http2Probe(socket, deadline).status(target, terms.path()) : ask(socket, deadline);
    }

    private int ask(Socket socket, long deadline) throws IOException {
        String request = "GET " + terms.path() + " HTTP/1.1\r\nHost: " + target.authority()
                + "\r\nUser-Agent: gateway-health-check\r\nAccept: */*\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        byte[] begin = new byte[STATUS_LINE];
        int count = 0;
        InputStream in = socket.getInputStream();
        while (count < begin.length) {
            socket.setSoTimeout(millisUntil(deadline));
            int read = in.read(begin, count, begin.length - count);
            if (read < 0) return 0;
            count += read;
        }
        return status(new String(begin, StandardCharsets.ISO_8859_1));
    }

    private static int status(String begin) {
        return begin.matches("HTTP/1\\.[01] \\d{3}") ? Integer.parseInt(begin.substring(9)) : 0;
    }

    static int millisUntil(long deadline) throws SocketTimeoutException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) throw new SocketTimeoutException("the check took too long");
        return (int) left;
    }
}
