package gateway.app.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// A whole gateway with the policies that a test chooses, and an upstream that notes each body that it gets and answers
/// what a test says.
final class MessageGateway implements AutoCloseable {
    private final HttpServer upstream;
    private final Gateway gateway;
    private final List<String> arrived;
    private volatile String answerFields = "";
    private volatile byte[] answer = new byte[0];
    private volatile boolean chunked;

    private MessageGateway(Path data, String path, String policies, Map<String, String> settings) {
        arrived = new CopyOnWriteArrayList<>();
        try {
            upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
            upstream.createContext("/", this::serve);
            upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            upstream.start();
            Path folder = Files.createDirectories(data.resolve("apis"));
            Files.writeString(folder.resolve("orders.json"), """
                    {"id": "orders", "match": {"path": "%s"}, "policies": [%s],
                     "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]}}""".formatted(
                            path, policies, upstream.getAddress().getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var environment = new HashMap<>(Map.of(
                "GATEWAY_LISTEN", "127.0.0.1:0",
                "GATEWAY_ADMIN_LISTEN", "127.0.0.1:0",
                "GATEWAY_DATA", data.toString(),
                "GATEWAY_HTTP2", "all",
                "GATEWAY_DRAIN_TIMEOUT", "1s"));
        environment.putAll(settings);
        gateway = Gateway.start(Settings.read(Optional.empty(), environment));
    }

    /// @param data an empty folder
    static MessageGateway start(Path data, String policies) {
        return start(data, policies, Map.of());
    }

    static MessageGateway start(Path data, String policies, Map<String, String> settings) {
        return new MessageGateway(data, "/", policies, settings);
    }

    /// @param path that requests match, with names of segments
    static MessageGateway at(Path data, String path, String policies) {
        return new MessageGateway(data, path, policies, Map.of());
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            arrived.add(new String(body, ISO_8859_1));
            for (String line : answerFields.lines().toList()) {
                exchange.getResponseHeaders().add(line.split(": ", 2)[0], line.split(": ", 2)[1]);
            }
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : chunked ? 0 : answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    /// From now on the upstream answers so.
    ///
    /// @param fields a line each
    void answers(String fields, byte[] body) {
        answerFields = fields;
        answer = body.clone();
        chunked = false;
    }

    /// The same in chunks, whose length nobody says beforehand.
    void answersInChunks(String fields, byte[] body) {
        answers(fields, body);
        chunked = true;
    }

    /// The bodies that came to the upstream, one character a byte, and goes on from none.
    List<String> arrived() {
        List<String> all = List.copyOf(arrived);
        arrived.clear();
        return all;
    }

    int port() {
        return gateway.address().getPort();
    }

    /// What is answered to a POST, head and body.
    ///
    /// @param fields a line each
    String post(String fields, byte[] body) {
        String head = "POST /items HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                + fields.lines().map(line -> line + "\r\n").reduce("", String::concat) + "Content-Length: "
                + body.length
                + "\r\n\r\n";
        try {
            return RawClient.exchange(port(), head + new String(body, ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String postJson(String json) {
        return post("Content-Type: application/json", json.getBytes(UTF_8));
    }

    static int status(String answer) {
        return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
    }

    @Override
    public void close() {
        gateway.close();
        upstream.stop(0);
    }
}
