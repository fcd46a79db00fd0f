package gateway.app.peers;

import gateway.app.FreePort;
import gateway.app.ProcessSignal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A real nginx in a folder of its own, with two workers.
final class Nginx implements Peer {
    private final Path folder;
    private final String program;
    private final int port;
    private PeerProcess process;

    private Nginx(Path folder, String program, int port) {
        this.folder = folder;
        this.program = program;
        this.port = port;
        this.process = launch();
    }

    /// @param http what stands in `http { }`; `{port}` is where to listen, `{folder}` where files are
    static Nginx start(Path folder, String http) {
        String program = PeerProcess.installed("nginx");
        int port = FreePort.take();
        configure(folder, http.replace("{port}", "" + port));
        return new Nginx(folder, program, port);
    }

    /// A configuration that passes everything on at once, WebSockets too, over connections that it keeps.
    static String proxyTo(String place) {
        return """
            map $http_upgrade $hop { default upgrade; "" ""; }
            upstream there { server %s; keepalive 16; }
            server {
                listen 127.0.0.1:{port};
                client_max_body_size 0;
                location / {
                    proxy_pass http://there;
                    proxy_http_version 1.1;
                    proxy_request_buffering off;
                    proxy_buffering off;
                    proxy_set_header Host $http_host;
                    proxy_set_header Connection $hop;
                    proxy_set_header Upgrade $http_upgrade;
                    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                }
            }
            """.formatted(place);
    }

    private static void configure(Path folder, String http) {
        String own = """
            user {user};
            worker_processes 2;
            pid {folder}/pid;
            error_log {folder}/error.log info;
            daemon off;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path {folder}/body;
                proxy_temp_path {folder}/proxy;
                fastcgi_temp_path {folder}/fastcgi;
                uwsgi_temp_path {folder}/uwsgi;
                scgi_temp_path {folder}/scgi;
                %s
            }
            """.formatted(http.replace("\n", "\n    "));
        try {
            Files.writeString(
                    folder.resolve("nginx.conf"),
                    own.replace("{folder}", folder.toString()).replace("{user}", System.getProperty("user.name")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private PeerProcess launch() {
        return PeerProcess.start(folder, program, "-p", folder.toString(), "-c", "nginx.conf", "-e", "error.log")
                .listeningOn(port);
    }

    /// As `host:port`.
    String place() {
        return process.place();
    }

    String url() {
        return process.url();
    }

    /// New workers take over, the old ones end with what they have begun.
    void reload() {
        ProcessSignal.send("HUP", process.pid());
    }

    /// Ends it as a crash would.
    void kill() {
        process.close();
    }

    /// After [#kill].
    void restart() {
        process = launch();
    }

    @Override
    public void close() {
        process.terminate(); // it also ends workers that a reload has just begun
        process.close();
    }
}
