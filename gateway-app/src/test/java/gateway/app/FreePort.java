package gateway.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/// Ports for servers that must be told one. They lie below those that Linux gives to outgoing connections, 32768
/// and up: none of these takes the port before the server does.
public final class FreePort {
    private static final int FIRST = 20_000;
    private static final int END = 32_000;

    private FreePort() {}

    public static int take() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port)) return port;
        }
    }

    /// One of which the port that is higher by `more` is free too, and lies below those of outgoing connections as
    /// well: a node of a Redis cluster takes both.
    public static int takeWith(int more) {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END - more);
            if (isFree(port) && isFree(port + more)) return port;
        }
    }

    private static boolean isFree(int port) {
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (BindException e) {
            return false; // somebody listens there
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
