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
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (BindException e) {
                // somebody listens there
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
