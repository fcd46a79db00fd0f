package gateway.app.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/// A server that counts what it is asked, and answers each request with bytes of a test's choice, on a connection of
/// its own.
public final class CountingUpstream implements AutoCloseable {
    private final ServerSocket server;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile IntFunction<String> answer;
    private volatile String last = "";
    private volatile CountDownLatch leave = new CountDownLatch(0);

    private CountingUpstream(ServerSocket server, IntFunction<String> answer) {
        this.server = server;
        this.answer = answer;
    }

    /// @param answer all bytes that the request of this number, from 1 on, is answered with
    public static CountingUpstream start(IntFunction<String> answer) {
        try {
            var upstream = new CountingUpstream(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), answer);
            Thread.ofVirtual().start(upstream::accept);
            return upstream;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// @param fields a line each
    public static String answer(String fields, String body) {
        String lines = fields.lines().map(line -> line + "\r\n").reduce("", String::concat);
        return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n" + lines + "Content-Length: "
                + body.length() + "\r\n\r\n" + body;
    }

    public void answers(IntFunction<String> other) {
        answer = other;
    }

    /// From now on nothing is answered until `latch` opens.
    public void awaits(CountDownLatch latch) {
        leave = latch;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
            String line = in.readLine();
            if (line == null) return;
            var head = new StringBuilder();
            while (line != null && !line.isEmpty()) {
                head.append(line).append('\n');
                line = in.readLine();
            }
            last = head.toString();
            int number = asked.incrementAndGet();
            leave.await();
            socket.getOutputStream().write(answer.apply(number).getBytes(ISO_8859_1));
            socket.getOutputStream().flush();
        } catch (IOException e) {
            return; // the gateway has left
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The head of the last request, a line each.
    public String last() {
        return last;
    }

    public int asked() {
        return asked.get();
    }

    public int port() {
        return server.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
