package gateway.app.traffic;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A server that answers every request with whatever a test writes, sound or not, and then ends the connection.
final class RawElasticsearch implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch gone = new CountDownLatch(1);

    /// Writes an answer.
    @FunctionalInterface
    interface Answering {
        /// @throws IOException when the client has gone, say
        void answer(OutputStream out) throws IOException;
    }

    private RawElasticsearch() throws IOException {}

    static RawElasticsearch start(Answering answering) throws IOException {
        var server = new RawElasticsearch();
        server.threads.execute(() -> server.serve(answering));
        return server;
    }

    /// Answers with a head, and bytes for as long as the client takes them: a few at a time, never an end.
    static RawElasticsearch dripping() throws IOException {
        return start(RawElasticsearch::drip);
    }

    static void drip(OutputStream out) throws IOException {
        out.write(head("200 OK", "Content-Length: 1000000"));
        while (true) {
            out.write(' ');
            out.flush();
            LockSupport.parkNanos(20_000_000);
        }
    }

    static void await(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(1, TimeUnit.MINUTES)) throw new IOException("waited for a minute");
        } catch (InterruptedException e) {
            throw new IOException(e); // the server is closed
        }
    }

    static byte[] head(String status, String... fields) {
        return ("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nX-Elastic-Product: Elasticsearch\r\n"
                        + String.join("\r\n", fields) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /// Open until a request has come.
    CountDownLatch asked() {
        return asked;
    }

    /// Open until a client has left before its answer ended.
    CountDownLatch gone() {
        return gone;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }

    private void serve(Answering answering) {
        try {
            while (true) {
                Socket socket = listener.accept();
                threads.execute(() -> answer(socket, answering));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void answer(Socket socket, Answering answering) {
        try (socket) {
            readHead(socket.getInputStream());
            asked.countDown();
            answering.answer(socket.getOutputStream());
        } catch (IOException e) {
            gone.countDown();
        }
    }

    private static void readHead(InputStream in) throws IOException {
        int ends = 0;
        while (ends < 4) {
            int next = in.read();
            if (next < 0) throw new IOException("no request");
            ends = next == "\r\n\r\n".charAt(ends) ? ends + 1 : 0;
        }
    }
}
