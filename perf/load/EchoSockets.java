import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;

/// Both sides of a measurement of WebSockets (RFC 6455), each one thread and one selector that do as little as they can.
///
/// `java EchoSockets.java serve PORT BYTES` takes handshakes on 127.0.0.1 and answers each message with one of BYTES.
///
/// `java EchoSockets.java load URL CONNECTIONS SECONDS BYTES` opens so many sockets and has each send a message of BYTES,
/// the next when its answer came. Prints one line of JSON; times are microseconds.
final class EchoSockets {
    private static final int HIGHEST_MICROS = 100_000; // of the latencies that are told apart
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(256 * 1024);
    private final ByteBuffer opening;
    private final ByteBuffer message;
    private final int awaited; // bytes of a message of the other side
    private final int[] micros = new int[HIGHEST_MICROS + 1];
    private long messages;
    private long errors;
    private int open;

    private EchoSockets(String opening, byte[] message, int awaited) throws IOException {
        this.opening = direct(opening.getBytes(StandardCharsets.ISO_8859_1));
        this.message = direct(message);
        this.awaited = awaited;
    }

    /// One connection: what it still has to write and to read before it says the next.
    private static final class Connection {
        final SocketChannel channel;
        ByteBuffer out;
        boolean opened;
        int lineEnds; // of the empty line, as far as read
        int got;
        long sentAt;

        Connection(SocketChannel channel, ByteBuffer out) {
            this.channel = channel;
            this.out = out;
        }
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments.length == 0 ? "" : arguments[0]) {
            case "serve" -> serve(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "load" -> {
                int bytes = Integer.parseInt(arguments[4]);
                load(URI.create(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), bytes);
            }
            default -> throw new IllegalArgumentException("needs serve PORT BYTES, or load URL CONNECTIONS SECONDS BYTES");
        }
    }

    private static void serve(int port, int bytes) throws IOException, GeneralSecurityException {
        var listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress("127.0.0.1", port), 4096);
        listener.configureBlocking(false);
        var server = new EchoSockets("", frame(bytes, false), frame(bytes, true).length);
        listener.register(server.selector, SelectionKey.OP_ACCEPT);
        while (true) server.turn(Long.MAX_VALUE, listener);
    }

    private static void load(URI uri, int connections, int seconds, int bytes) throws IOException {
        String asking = "GET " + uri.getRawPath() + " HTTP/1.1\r\nHost: " + uri.getAuthority()
                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY
                + "\r\n\r\n";
        var client = new EchoSockets(asking, frame(bytes, true), frame(bytes, false).length);
        var address = new InetSocketAddress(uri.getHost(), uri.getPort());
        for (int i = 0; i < connections; i++) client.connect(address);
        long begin = System.nanoTime();
        long end = begin + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && client.open > 0) client.turn(end, null);
        System.out.println(client.json((System.nanoTime() - begin) / 1e9));
    }

    private void connect(InetSocketAddress address) throws IOException {
        var channel = SocketChannel.open(address);
        add(channel, opening.duplicate());
    }

    private void add(SocketChannel channel, ByteBuffer first) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        var connection = new Connection(channel, first);
        channel.register(selector, SelectionKey.OP_READ, connection);
        open++;
        channel.write(connection.out); // a fresh socket takes a head whole
    }

    private void turn(long end, ServerSocketChannel listener) throws IOException {
        long patience = Math.clamp((end - System.nanoTime()) / 1_000_000, 1, 1000);
        selector.select(key -> ready(key, listener), patience);
    }

    private void ready(SelectionKey key, ServerSocketChannel listener) {
        if (!(key.attachment() instanceof Connection connection)) {
            accept(listener);
            return;
        }
        try {
            if (key.isWritable()) write(connection, key);
            if (key.isReadable()) read(connection, key);
        } catch (IOException | GeneralSecurityException e) {
            errors++;
            close(connection);
        }
    }

    private void accept(ServerSocketChannel listener) {
        try {
            SocketChannel channel = listener.accept();
            if (channel != null) add(channel, opening.duplicate());
        } catch (IOException e) {
            errors++;
        }
    }

    private void close(Connection connection) {
        open--;
        try {
            connection.channel.close();
        } catch (IOException e) {
            errors++;
        }
    }

    private void read(Connection connection, SelectionKey key) throws IOException, GeneralSecurityException {
        int count = connection.channel.read(buffer.clear());
        if (count < 0) {
            close(connection);
            return;
        }
        buffer.flip();
        if (!connection.opened && !head(connection, key)) return;
        connection.got += buffer.remaining();
        while (connection.got >= awaited) {
            connection.got -= awaited;
            answered(connection);
            say(connection, key, message.duplicate());
        }
    }

    /// Reads to the end of the head; the client says its first message then, the server agrees.
    private boolean head(Connection connection, SelectionKey key) throws IOException, GeneralSecurityException {
        int start = buffer.position();
        while (buffer.hasRemaining() && connection.lineEnds < 4) {
            byte next = buffer.get();
            connection.lineEnds = next == (connection.lineEnds % 2 == 0 ? '\r' : '\n') ? connection.lineEnds + 1 : 0;
        }
        if (connection.lineEnds < 4) return false;
        connection.opened = true;
        if (opening.hasRemaining()) {
            if (buffer.get(start + 9) != '1') throw new IOException("not 101"); // HTTP/1.1 101
            connection.sentAt = System.nanoTime();
            say(connection, key, message.duplicate());
        } else {
            byte[] asked = new byte[buffer.position() - start];
            buffer.get(start, asked);
            say(connection, key, direct(agreed(new String(asked, StandardCharsets.ISO_8859_1))));
        }
        return true;
    }

    private void answered(Connection connection) {
        if (connection.sentAt == 0) return; // the server's
        long now = System.nanoTime();
        messages++;
        micros[(int) Math.min(HIGHEST_MICROS, (now - connection.sentAt) / 1000)]++;
        connection.sentAt = now;
    }

    private void say(Connection connection, SelectionKey key, ByteBuffer what) throws IOException {
        connection.out = what;
        write(connection, key);
    }

    private static void write(Connection connection, SelectionKey key) throws IOException {
        connection.channel.write(connection.out);
        int wanted = connection.out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != wanted) key.interestOps(wanted);
    }

    /// A request that is no handshake, such as one that asks whether the server is up, is refused.
    private static byte[] agreed(String asked) throws GeneralSecurityException {
        String name = "\nsec-websocket-key:";
        int at = asked.toLowerCase(Locale.ROOT).indexOf(name) + name.length();
        if (at < name.length())
            return "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
        String key = asked.substring(at, asked.indexOf('\r', at)).strip();
        byte[] proof = MessageDigest.getInstance("SHA-1")
                .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.ISO_8859_1));
        return ("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: "
                        + Base64.getEncoder().encodeToString(proof) + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /// A binary message in one frame; masked with zeros, as clients may not but echoes do not mind.
    private static byte[] frame(int bytes, boolean masked) {
        int more = bytes < 126 ? 0 : bytes < 65536 ? 2 : 8;
        ByteBuffer frame = ByteBuffer.allocate(2 + more + (masked ? 4 : 0) + bytes);
        int told = more == 0 ? bytes : more == 2 ? 126 : 127;
        frame.put((byte) 0x82).put((byte) (told | (masked ? 0x80 : 0)));
        if (more == 2) frame.putShort((short) bytes);
        if (more == 8) frame.putLong(bytes);
        return frame.array();
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private String json(double seconds) {
        return String.format(
                Locale.ROOT,
                "{\"messages\": %d, \"seconds\": %.3f, \"p50\": %d, \"p99\": %d, \"errors\": %d}",
                messages,
                seconds,
                percentile(0.50),
                percentile(0.99),
                errors);
    }

    private int percentile(double share) {
        long left = (long) Math.ceil(Arrays.stream(micros).asLongStream().sum() * share);
        for (int i = 0; i < HIGHEST_MICROS; i++) {
            left -= micros[i];
            if (left <= 0) return i;
        }
        return HIGHEST_MICROS;
    }
}
