package gateway.app.upstream;

import gateway.config.HealthCheckDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// One check of one target on a connection of its own, with blocking reads: for a thread of the JDK's scheduler.
final class HealthProbe {
    private static final int STATUS_LINE = "HTTP/1.1 200".length();

    private final HealthCheckDefinition how;
    private final Target target;
    private final Resolver resolver;

    HealthProbe(HealthCheckDefinition how, Target target, Resolver resolver) {
        this.how = how;
        this.target = target;
        this.resolver = resolver;
    }

    /// Whether the target is well; whatever goes wrong says no.
    boolean isGood() {
        List<InetAddress> addresses = resolver.known(target.address().host(), Long.MAX_VALUE);
        if (addresses == null || addresses.isEmpty()) return false;
        long deadline = System.nanoTime() + how.timeout().toNanos();
        try (var socket = new Socket()) {
            var address =
                    new InetSocketAddress(addresses.getFirst(), target.address().port());
            socket.connect(address, millisUntil(deadline));
            return switch (how.type()) {
                case TCP -> true;
                case HTTP -> how.isGood(ask(socket, deadline));
                case GRPC -> new GrpcProbe(socket, deadline).serves(target.authority(), how.service());
            };
        } catch (IOException e) {
            return false;
        }
    }

    private int ask(Socket socket, long deadline) throws IOException {
        String request = "GET " + how.path() + " HTTP/1.1\r\nHost: " + target.authority()
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
