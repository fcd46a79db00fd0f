package gateway.wire.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/// A client that sends any bytes at all.
public final class RawClient implements AutoCloseable {
    private final Socket socket;

    public RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
    }

    /// What a server answers to `bytes` until it closes the connection.
    public static String exchange(int port, String bytes) throws IOException {
        try (var client = new RawClient(port)) {
            return client.send(bytes).readAll();
        }
    }

    public RawClient send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
        return this;
    }

    /// Reads to the end, or until the server has said nothing for so long: then it waits for more.
    public String readUntilQuiet(int millis) throws IOException {
        socket.setSoTimeout(millis);
        var read = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(read);
        } catch (SocketTimeoutException e) {
            // whatever it waits for does not come
        }
        return read.toString(ISO_8859_1);
    }

    /// Reads until `text` has come, or the end; answers all that was read.
    public String readUntil(String text) throws IOException {
        var read = new ByteArrayOutputStream();
        int octet;
        while (!read.toString(ISO_8859_1).endsWith(text)
                && (octet = socket.getInputStream().read()) >= 0) read.write(octet);
        return read.toString(ISO_8859_1);
    }

    public String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
