package gateway.app.peers;

import gateway.app.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A real Caddy (Go's net/http on both sides) as a reverse proxy.
final class Caddy {
    private Caddy() {}

    /// @param upstream where it leads, such as `127.0.0.1:80`, or by HTTP/2 `h2c://127.0.0.1:80`
    static PeerProcess start(Path folder, String upstream) {
        String program = PeerProcess.installed("caddy");
        int port = FreePort.take();
        try {
            Files.writeString(folder.resolve("Caddyfile"), """
                {
                    admin off
                    auto_https off
                }
                http://:%d {
                    bind 127.0.0.1
                    reverse_proxy %s {
                        flush_interval -1
                    }
                }
                """.formatted(port, upstream));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return PeerProcess.start(folder, program, "run").listeningOn(port);
    }
}
