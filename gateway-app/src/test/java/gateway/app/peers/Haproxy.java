package gateway.app.peers;

import gateway.app.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A real HAProxy with one frontend and one server.
final class Haproxy {
    private Haproxy() {}

    /// @param server where it leads and how, as on a `server` line: `127.0.0.1:80 send-proxy`
    /// @param settings lines more of the section with that server
    static PeerProcess start(Path folder, String server, String... settings) {
        String program = PeerProcess.installed("haproxy");
        int port = FreePort.take();
        try {
            Files.writeString(
                    folder.resolve("haproxy.cfg"), """
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 60s
                    timeout server 60s
                    option http-no-delay
                frontend in
                    bind 127.0.0.1:%d
                    option forwardfor
                    default_backend out
                backend out
                    http-reuse always
                    server only %s
                    %s
                """.formatted(port, server, String.join("\n    ", settings)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return PeerProcess.start(folder, program, "-db", "-f", "haproxy.cfg").listeningOn(port);
    }
}
