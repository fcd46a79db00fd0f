package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// An upstream that reads requests by a parser of its own, the plainest there is, keeps each, and answers with its
/// request line. Knows nothing of what sends to it.
final class RecordingUpstream implements AutoCloseable {
    /// One request that came whole.
    ///
    /// @param head request line and header lines
    record Received(String head, String body) {
        String requestLine() {
            return head.substring(0, head.indexOf("\r\n"));
        }

        /// The values of a field, in order.
        List<String> all(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .toList();
        }
    }

    final List<Received> requests = new CopyOnWriteArrayList<>();
    final List<String> faults = new CopyOnWriteArrayList<>();
    final AtomicLong bytes = new AtomicLong();

    private final ServerSocket listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    RecordingUpstream() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    void forget() {
        requests.clear();
        faults.clear();
        bytes.set(0);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed: the test is over
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (true) {
                String head = head(in);
                if (head.isEmpty()) return;
                if (!new Received(head, "").all("Expect").isEmpty()) {
                    socket.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
                }
                var received = new Received(head, body(in, head));
                requests.add(received);
                String text = "served " + received.requestLine();
                socket.getOutputStream()
                        .write(("HTTP/1.1 200 OK\r\nContent-Length: " + text.length() + "\r\n\r\n" + text)
                                .getBytes(ISO_8859_1));
            }
        } catch (EOFException e) {
            // the gateway gave the request up
        } catch (IOException | RuntimeException e) {
            if (!listener.isClosed() && !(e instanceof java.net.SocketException)) faults.add(e.toString());
        }
    }

    private String head(InputStream in) throws IOException {
        var lines = new StringBuilder();
        while (true) {
            String line = line(in);
            if (line.isEmpty()) return lines.toString();
            lines.append(line).append("\r\n");
        }
    }

    private String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        int octet;
        while ((octet = in.read()) != '\n') {
            if (octet < 0) throw new EOFException();
            bytes.incrementAndGet();
            line.write(octet);
        }
        String text = line.toString(ISO_8859_1);
        if (!text.endsWith("\r")) throw new IllegalStateException("a line without CR: " + text);
        return text.substring(0, text.length() - 1);
    }

    private String body(InputStream in, String head) throws IOException {
        var probe = new Received(head, "");
        List<String> lengths = probe.all("Content-Length");
        List<String> codings = probe.all("Transfer-Encoding");
        if (lengths.size() + codings.size() > 1) throw new IllegalStateException("two framings: " + head);
        if (!lengths.isEmpty()) return read(in, Long.parseLong(lengths.getFirst()));
        if (codings.isEmpty()) return "";
        var content = new StringBuilder();
        while (true) {
            String line = line(in);
            if (line.isEmpty()) throw new EOFException(); // broke off between two chunks
            int size = Integer.parseInt(line, 16);
            if (size == 0) break;
            content.append(read(in, size));
            if (!line(in).isEmpty()) throw new IllegalStateException("a chunk overruns");
        }
        while (!line(in).isEmpty()) {}
        return content.toString();
    }

    private String read(InputStream in, long length) throws IOException {
        byte[] content = in.readNBytes((int) Math.min(length, Integer.MAX_VALUE - 8));
        bytes.addAndGet(content.length);
        if (content.length < length) throw new EOFException();
        return new String(content, ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : new ArrayList<>(open)) socket.close();
    }
}
