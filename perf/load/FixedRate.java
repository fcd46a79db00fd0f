import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/// A load generator with an open loop: requests are due at a fixed rate whatever became of those before, and latency
/// is counted from the moment a request was due, so a stall is seen by every request that it held up.
///
/// `java FixedRate.java URL RATE CONNECTIONS WARM-SECONDS SECONDS [METHOD [BODY-BYTES [HEADER...]]]`
///
/// One thread, one selector, plain HTTP/1.1 with kept connections and answers that have a Content-Length. A request
/// that is due waits for a free connection, and its waiting counts. How late the generator itself was, with a
/// connection free, is told apart as `lag`; the timer makes that 10 to 100 µs, and a core shared with others more.
/// Prints one line of JSON; times are microseconds, off by less than 1 %.
final class FixedRate {
    private final long interval;
    private final Selector selector;
    private final ByteBuffer request;
    private final ArrayDeque<Connection> free = new ArrayDeque<>();
    private final Histogram latency = new Histogram();
    private final Histogram lag = new Histogram();
    private final InetSocketAddress address;
    private long due;
    private long recordFrom;
    private long sent;
    private long answered;
    private long bad;
    private long errors;
    private long missed;
    private int open;

    private FixedRate(InetSocketAddress address, ByteBuffer request, double rate) throws IOException {
        this.address = address;
        this.request = request;
        this.interval = Math.max(1, Math.round(1e9 / rate));
        this.selector = Selector.open();
    }

    public static void main(String[] arguments) throws Throwable {
        if (arguments.length < 5) throw new IllegalArgumentException("needs URL RATE CONNECTIONS WARM-SECONDS SECONDS");
        preciseTimers();
        URI uri = URI.create(arguments[0]);
        var address = new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort());
        var generator = new FixedRate(address, request(uri, arguments), Double.parseDouble(arguments[1]));
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) generator.connect();
        double warm = Double.parseDouble(arguments[3]);
        double seconds = Double.parseDouble(arguments[4]);
        generator.run(warm, seconds);
        System.out.println(generator.json(seconds));
    }

    /// Asks Linux to wake this thread without its usual slack of 50 µs.
    private static void preciseTimers() throws Throwable {
        Linker linker = Linker.nativeLinker();
        var place = linker.defaultLookup().find("prctl");
        if (place.isEmpty()) return; // not Linux
        var shape = FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
        MethodHandle prctl = linker.downcallHandle(place.get(), shape, Linker.Option.firstVariadicArg(1));
        int _ = (int) prctl.invokeExact(29 /* PR_SET_TIMERSLACK */, 1L, 0L);
    }

    private static ByteBuffer request(URI uri, String[] arguments) {
        String method = arguments.length > 5 ? arguments[5] : "GET";
        int bytes = arguments.length > 6 ? Integer.parseInt(arguments[6]) : 0;
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        var head = new StringBuilder(method + " " + uri.getRawPath() + query + " HTTP/1.1\r\nHost: " + uri.getAuthority());
        for (int i = 7; i < arguments.length; i++) head.append("\r\n" + arguments[i]);
        if (bytes > 0) head.append("\r\nContent-Type: application/octet-stream\r\nContent-Length: ").append(bytes);
        head.append("\r\n\r\n").repeat("x", bytes);
        byte[] all = head.toString().getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocateDirect(all.length).put(all).flip();
    }

    private void connect() throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        var connection = new Connection(channel, key, request.duplicate());
        key.attach(connection);
        free.add(connection);
        open++;
    }

    private void run(double warm, double seconds) throws IOException {
        due = System.nanoTime();
        recordFrom = due + (long) (warm * 1e9);
        long end = recordFrom + (long) (seconds * 1e9);
        long patience = end + 10_000_000_000L;
        while (true) {
            int ready = selector.selectNow(this::readable);
            long now = System.nanoTime();
            boolean sentAny = send(now, end);
            if (due >= end && free.size() == open || now > patience || open == 0) break;
            if (ready == 0 && !sentAny) LockSupport.parkNanos(due > now ? Math.min(due - now, 20_000) : 20_000);
        }
        for (; due < end; due += interval) missed++;
        missed += open - free.size();
    }

    /// Sends what is due, as far as connections are free. A request waits until one is.
    private boolean send(long now, long end) {
        boolean any = false;
        while (due <= now && due < end && !free.isEmpty()) {
            Connection connection = free.poll();
            if (due >= recordFrom) {
                sent++;
                lag.record(Math.max(0, now - Math.max(due, connection.freeSince)));
            }
            connection.due = due;
            due += interval;
            any = true;
            try {
                connection.write();
            } catch (IOException e) {
                replace(connection);
            }
        }
        return any;
    }

    private void readable(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            if (key.isWritable()) connection.write();
            if (key.isReadable() && connection.read()) finish(connection);
        } catch (IOException e) {
            replace(connection);
        }
    }

    private void finish(Connection connection) {
        long now = System.nanoTime();
        if (connection.due >= recordFrom) {
            answered++;
            latency.record(now - connection.due);
            if (connection.status < 200 || connection.status >= 400) bad++;
        }
        connection.freeSince = now;
        free.add(connection);
    }

    /// A connection that breaks is one error and is replaced; its request has no latency.
    private void replace(Connection broken) {
        errors++;
        open--;
        free.remove(broken);
        broken.close();
        try {
            connect();
        } catch (IOException e) {
            errors++;
        }
    }

    private String json(double seconds) {
        double cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
        return String.format(
                Locale.ROOT,
                "{\"rate\":%.1f,\"requests\":%d,\"sent\":%d,\"bad\":%d,\"errors\":%d,\"missed\":%d,\"cpuSeconds\":%.2f,"
                        + "\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f,\"lagP50\":%.1f,\"lagP99\":%.1f}",
                answered / seconds, answered, sent, bad, errors, missed, cpu, latency.at(0.5), latency.at(0.9),
                latency.at(0.99), latency.at(0.999), latency.at(1), lag.at(0.5), lag.at(0.99));
    }

    /// One kept connection with at most one request on it.
    private static final class Connection {
        private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

        private final SocketChannel channel;
        private final SelectionKey key;
        private final ByteBuffer request;
        private final ByteBuffer input = ByteBuffer.allocateDirect(16 * 1024);
        private final byte[] head = new byte[16 * 1024];
        private long due;
        private long freeSince;
        private long bodyLeft = -1;
        private int status;

        Connection(SocketChannel channel, SelectionKey key, ByteBuffer request) {
            this.channel = channel;
            this.key = key;
            this.request = request;
            request.position(request.limit());
        }

        void write() throws IOException {
            if (!request.hasRemaining()) request.rewind();
            channel.write(request);
            int interest = request.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
            if (key.interestOps() != interest) key.interestOps(interest);
        }

        /// Whether the answer is whole.
        boolean read() throws IOException {
            int count = channel.read(input);
            if (count < 0) throw new IOException("closed");
            if (bodyLeft < 0 && !readHead()) return false;
            if (bodyLeft > 0) {
                bodyLeft -= input.position();
                input.clear();
            }
            if (bodyLeft > 0) return false;
            input.clear();
            bodyLeft = -1;
            return true;
        }

        private boolean readHead() throws IOException {
            int length = input.position();
            input.get(0, head, 0, length);
            int end = endOfHead(length);
            if (end < 0 && length == head.length) throw new IOException("no end of the head");
            if (end < 0) return false;
            status = (head[9] - '0') * 100 + (head[10] - '0') * 10 + head[11] - '0';
            bodyLeft = Math.max(0, contentLength(end) - (length - end));
            input.clear();
            return true;
        }

        private int endOfHead(int length) {
            for (int i = 3; i < length; i++)
                if (head[i] == '\n' && head[i - 1] == '\r' && head[i - 2] == '\n' && head[i - 3] == '\r') return i + 1;
            return -1;
        }

        private long contentLength(int end) throws IOException {
            for (int at = 0; at < end - LENGTH.length; at++) {
                if (head[at] != '\n' || !named(at + 1)) continue;
                long length = 0;
                for (int i = at + 1 + LENGTH.length; head[i] != '\r'; i++)
                    if (head[i] != ' ') length = length * 10 + head[i] - '0';
                return length;
            }
            throw new IOException("an answer without Content-Length");
        }

        private boolean named(int at) {
            for (int i = 0; i < LENGTH.length; i++) if ((head[at + i] | 0x20) != (LENGTH[i] | 0x20)) return false;
            return true;
        }

        void close() {
            try (channel) {
                key.cancel();
            } catch (IOException e) { // it is gone either way
            }
        }
    }

    /// Counts of nanoseconds in buckets that are 1/128 wide, as HdrHistogram's.
    private static final class Histogram {
        private static final int BITS = 7;
        private final long[] counts = new long[(65 - BITS) << BITS];
        private long total;

        void record(long value) {
            counts[index(value)]++;
            total++;
        }

        private static int index(long value) {
            int shift = Math.max(0, 63 - BITS - Long.numberOfLeadingZeros(value | 1));
            return (shift << BITS) + (int) (value >> shift);
        }

        /// Microseconds at or below which so large a share lies.
        double at(double share) {
            long wanted = Math.max(1, (long) Math.ceil(total * share));
            long seen = 0;
            for (int i = 0; i < counts.length; i++) {
                seen += counts[i];
                if (seen >= wanted && total > 0) return highest(i) / 1e3;
            }
            return 0;
        }

        private static long highest(int index) {
            int shift = Math.max(0, (index >> BITS) - 1);
            long base = index - ((long) shift << BITS);
            return ((base + 1) << shift) - 1;
        }
    }
}
