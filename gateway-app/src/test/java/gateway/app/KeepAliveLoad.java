package gateway.app;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Clients that send one GET after the other on kept-alive connections of their own, and note whatever is not 200. One
/// connects anew only when an answer has said that it is the connection's last.
public final class KeepAliveLoad implements AutoCloseable {
    private static final long PAUSE_NANOS = 10_000_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final InetSocketAddress address;
    private final byte[] request;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong answered = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean done;

    private KeepAliveLoad(InetSocketAddress address, byte[] request) {
        this.address = address;
        this.request = request;
    }

    public static KeepAliveLoad start(InetSocketAddress address, String path, String credential, int connections) {
        String text = "GET " + path + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + credential + "\r\n\r\n";
        var load = new KeepAliveLoad(address, text.getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < connections; i++) load.threads.execute(load::client);
        return load;
    }

    public long answered() {
        return answered.get();
    }

    /// Waits until `more` requests have been answered.
    public void await(long more) {
        long wanted = answered.get() + more;
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (answered.get() < wanted && failures.isEmpty()) {
            if (System.nanoTime() - end > 0) throw new AssertionError("answers cease at " + answered.get());
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /// Lets every client end with an answer.
    ///
    /// @return what failed
    public List<String> stop() {
        done = true;
        threads.close();
        return new ArrayList<>(failures);
    }

    private void client() {
        while (!done) {
            long number = 0;
            try (var socket = new Socket(address.getAddress(), address.getPort())) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(60_000);
                InputStream in = new BufferedInputStream(socket.getInputStream());
                for (boolean last = false; !last && !done; number++) {
                    socket.getOutputStream().write(request);
                    last = readAnswer(in);
                    answered.incrementAndGet();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } catch (IOException e) {
                failures.add("request " + number + " of a connection: " + e);
                return;
            }
        }
    }

    /// @return whether it is the last of its connection
    private static boolean readAnswer(InputStream in) throws IOException {
        String status = line(in);
        boolean last = false;
        int length = 0;
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            if (field.equalsIgnoreCase("Connection: close")) last = true;
            if (field.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                length = Integer.parseInt(field.substring(15).strip());
            }
        }
        byte[] body = in.readNBytes(length);
        if (!status.startsWith("HTTP/1.1 200"))
            throw new IOException(status + " " + new String(body, StandardCharsets.UTF_8));
        return last;
    }

    private static String line(InputStream in) throws IOException {
        var text = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) throw new EOFException("closed after: " + text);
            if (next != '\r') text.append((char) next);
        }
        return text.toString();
    }

    @Override
    public void close() {
        done = true;
        threads.shutdownNow();
    }
}
