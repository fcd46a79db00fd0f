package gateway.app.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// An upstream server that the test plays itself: it accepts each connection and says each byte.
final class RawUpstream implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final ServerSocket listener;
    private final List<RawConnection> accepted = new CopyOnWriteArrayList<>();

    RawUpstream() throws IOException {
        this(InetAddress.getLoopbackAddress(), 0);
    }

    RawUpstream(InetAddress address, int port) throws IOException {
        listener = new ServerSocket(port, 50, address);
        listener.setSoTimeout(PATIENCE_MILLIS);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    RawConnection accept() throws IOException {
        RawConnection connection = new RawConnection(listener.accept());
        accepted.add(connection);
        return connection;
    }

    /// Whether no further connection has been made for a little while.
    boolean nobodyElseCalls() throws IOException {
        listener.setSoTimeout(150);
        try {
            listener.accept().close();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            listener.setSoTimeout(PATIENCE_MILLIS);
        }
    }

    /// Takes no more connections; those that stand go on.
    void refuse() throws IOException {
        listener.close();
    }

    @Override
    public void close() throws IOException {
        for (RawConnection connection : accepted) connection.close();
        listener.close();
    }
}
