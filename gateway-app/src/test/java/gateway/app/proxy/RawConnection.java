package gateway.app.proxy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// One end of a TCP connection whose every byte the test sends and reads itself. Text is Latin-1; a read that
/// takes longer than half a minute fails.
public final class RawConnection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    public static RawConnection to(InetSocketAddress address) throws IOException {
        return new RawConnection(new Socket(address.getAddress(), address.getPort()));
    }

    /// A client with an address of its own, such as `127.0.0.2`.
    public static RawConnection from(String client, InetSocketAddress address) throws IOException {
        return new RawConnection(new Socket(address.getAddress(), address.getPort(), InetAddress.getByName(client), 0));
    }

    public RawConnection send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawConnection send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    /// Everything up to and with the next empty line.
    public String readHead() throws IOException {
        return readUntil("\r\n\r\n");
    }

    public String readUntil(String end) throws IOException {
        var read = new StringBuilder();
        while (!endsWith(read, end)) {
            int next = in.read();
            if (next < 0) throw new EOFException("after: " + read);
            read.append((char) next);
        }
        return read.toString();
    }

    private static boolean endsWith(StringBuilder text, String end) {
        int from = text.length() - end.length();
        return from >= 0 && text.indexOf(end, from) == from;
    }

    public String read(int bytes) throws IOException {
        byte[] read = in.readNBytes(bytes);
        if (read.length < bytes) throw new EOFException("after " + read.length + " of " + bytes + " bytes");
        return new String(read, StandardCharsets.ISO_8859_1);
    }

    /// What comes until the other side ends.
    public String readToEnd() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /// The content of a chunked body, its trailers left out.
    public String readChunked() throws IOException {
        var content = new ByteArrayOutputStream();
        while (true) {
            String line = readUntil("\r\n");
            int size = Integer.parseInt(line.trim(), 16);
            if (size == 0) return content.toString(StandardCharsets.ISO_8859_1);
            content.writeBytes(in.readNBytes(size));
            read(2);
        }
    }

    /// A whole answer with `Content-Length`.
    public String readAnswer() throws IOException {
        String head = readHead();
        return head + read(Http.contentLength(head));
    }

    /// Whether the other side has closed or reset the connection; waits for it, and reads what comes before.
    public boolean isClosedByPeer() throws IOException {
        try {
            in.readAllBytes();
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    public void finishSending() throws IOException {
        socket.shutdownOutput();
    }

    /// Ends with a TCP reset rather than an orderly close.
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    public OutputStream out() {
        return out;
    }

    public InputStream in() {
        return in;
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
