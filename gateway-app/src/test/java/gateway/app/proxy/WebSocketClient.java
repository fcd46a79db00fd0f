package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/// The JDK's WebSocket client, with what it hears in a queue.
final class WebSocketClient implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;

    private final HttpClient http;
    private final Heard heard = new Heard();
    private final WebSocket socket;

    private WebSocketClient(HttpClient http, URI location) {
        this.http = http;
        socket = http.newWebSocketBuilder()
                .subprotocols("chat", "other")
                .header("X-Asked", "yes")
                .buildAsync(location, heard)
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    static WebSocketClient to(int port, String path) {
        return new WebSocketClient(HttpClient.newHttpClient(), URI.create("ws://127.0.0.1:" + port + path));
    }

    static WebSocketClient secure(SSLContext context, int port, String path) {
        HttpClient http = HttpClient.newBuilder().sslContext(context).build();
        return new WebSocketClient(http, URI.create("wss://localhost:" + port + path));
    }

    WebSocket socket() {
        return socket;
    }

    WebSocketClient text(String text) {
        socket.sendText(text, true).join();
        return this;
    }

    /// The next thing heard: a text, `byte[]`, `"pong"`, a close code or what broke.
    Object next() throws InterruptedException {
        Object next = heard.queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(next).as("something heard").isNotNull();
        return next;
    }

    @Override
    public void close() {
        socket.abort();
        http.shutdownNow();
    }

    private static final class Heard implements WebSocket.Listener {
        private final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                queue.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return done();
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            while (data.hasRemaining()) bytes.write(data.get());
            if (last) {
                queue.add(bytes.toByteArray());
                bytes.reset();
            }
            socket.request(1);
            return done();
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            queue.add("pong");
            socket.request(1);
            return done();
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            queue.add(code);
            return done();
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            queue.add(error);
        }

        private static CompletionStage<?> done() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
