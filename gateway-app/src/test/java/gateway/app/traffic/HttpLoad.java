package gateway.app.traffic;

import static gateway.Eventually.until;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Clients that keep their connections and send numbered requests, each one again as soon as its answer is whole.
/// Request `n` is `GET /load/n` with the id `load-n` and the user agent `n`.
final class HttpLoad implements AutoCloseable {
    private static final int CLIENTS = 8;
    private static final byte[] END_OF_HEAD = {'\r', '\n', '\r', '\n'};

    private final int port;
    private final long last;
    private final long intervalNanos;
    private final AtomicLong next;
    private final AtomicLong answered = new AtomicLong();
    private final ConcurrentLinkedQueue<List<Answer>> answers = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean stopped;

    /// @param sentNanos on the clock of [System#nanoTime], as is the end `sentNanos + nanos`
    record Answer(long number, int status, long sentNanos, long nanos) {
        long endedNanos() {
            return sentNanos + nanos;
        }
    }

    private HttpLoad(int port, long first, long last, int perSecond) {
        this.port = port;
        this.last = last;
        this.intervalNanos = perSecond == 0 ? 0 : CLIENTS * 1_000_000_000L / perSecond;
        this.next = new AtomicLong(first);
    }

    /// Sends requests `first` to before `last`.
    ///
    /// @param perSecond most requests a second; 0 for as many as are answered
    static HttpLoad start(int port, long first, long last, int perSecond) {
        var load = new HttpLoad(port, first, last, perSecond);
        for (int i = 0; i < CLIENTS; i++) {
            load.clients.add(Thread.ofPlatform().name("load-" + i).start(load::send));
        }
        return load;
    }

    long answered() {
        return answered.get();
    }

    /// Waits until so many more requests than now have been answered.
    void awaitMore(long count) {
        long wanted = answered() + count;
        until(() -> answered() >= wanted || !failures.isEmpty(), () -> answered() + " answers");
    }

    void join() throws InterruptedException {
        for (Thread client : clients) client.join();
    }

    /// Ends after the answers that are due.
    void stop() throws InterruptedException {
        stopped = true;
        join();
    }

    /// To be asked once the load has ended.
    List<Answer> answers() {
        return answers.stream().flatMap(List::stream).toList();
    }

    /// Why requests have got no answer.
    List<String> failures() {
        return List.copyOf(failures);
    }

    /// The duration that 99 % of the requests sent in that time did not exceed.
    Duration p99(long fromNanos, long toNanos) {
        long[] sorted = answers().stream()
                .filter(answer -> answer.sentNanos() >= fromNanos && answer.sentNanos() < toNanos)
                .mapToLong(Answer::nanos)
                .sorted()
                .toArray();
        if (sorted.length == 0) throw new AssertionError("no request was sent in that time");
        return Duration.ofNanos(sorted[(int) Math.ceil(sorted.length * 0.99) - 1]);
    }

    @Override
    public void close() {
        stopped = true;
        until(() -> clients.stream().noneMatch(Thread::isAlive), () -> "clients at work");
    }

    private void send() {
        List<Answer> own = new ArrayList<>();
        long number = -1;
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.setTcpNoDelay(true);
            long due = System.nanoTime();
            while (!stopped) {
                number = next.getAndIncrement();
                if (number >= last) return;
                due = pace(due);
                own.add(exchange(socket, number));
                answered.incrementAndGet();
            }
        } catch (IOException e) {
            failures.add("request " + number + ": " + e);
        } finally {
            answers.add(own);
        }
    }

    /// Waits for `due`; late requests are not made up for.
    private long pace(long due) {
        if (intervalNanos == 0) return due;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) LockSupport.parkNanos(left);
        return Math.max(due, System.nanoTime() - intervalNanos) + intervalNanos;
    }

    private static Answer exchange(Socket socket, long number) throws IOException {
        String head = "GET /load/" + number + " HTTP/1.1\r\nHost: api.example.com\r\nUser-Agent: " + number
                + "\r\nX-Request-Id: load-" + number + "\r\n\r\n";
        long sent = System.nanoTime();
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        int status = status(socket.getInputStream());
        return new Answer(number, status, sent, System.nanoTime() - sent);
    }

    /// Reads an answer with the body of [KeepAliveUpstream], or an empty one.
    private static int status(InputStream in) throws IOException {
        var buffer = new byte[4096];
        int length = 0;
        int end = -1;
        while (end < 0) {
            int read = in.read(buffer, length, buffer.length - length);
            if (read < 0) throw new EOFException("the gateway closed the connection");
            length += read;
            end = end(buffer, length);
        }
        String head = new String(buffer, 0, end, StandardCharsets.ISO_8859_1);
        int body = head.contains("Content-Length: 2\r\n") ? 2 : -1;
        int status = Integer.parseInt(head, 9, 12, 10);
        if (body < 0) throw new IOException("an unexpected answer: " + head);
        for (int left = end + body - length; left > 0; left -= in.readNBytes(left).length) {}
        return status;
    }

    private static int end(byte[] buffer, int length) {
        for (int i = 0; i + END_OF_HEAD.length <= length; i++) {
            if (java.util.Arrays.equals(buffer, i, i + 4, END_OF_HEAD, 0, 4)) return i + END_OF_HEAD.length;
        }
        return -1;
    }
}
