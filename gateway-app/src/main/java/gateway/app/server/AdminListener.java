package gateway.app.server;

import gateway.app.admin.AdminHandler;
import gateway.app.admin.AdminRequest;
import gateway.http.Body;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.HttpString;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The admin plane's listener: holds each request, has a virtual thread of the JDK's scheduler answer it, sends the
/// answer. Apart from the data plane, so that neither can starve the other.
public final class AdminListener implements AutoCloseable {
    private static final int MOST_HEADER_BYTES = 32 * 1024;
    private static final int MOST_HEADERS = 100;
    private static final long MOST_BYTES_READ = 16L * AdminHandler.MAX_BODY_BYTES; // then the connection is cut
    private static final int NO_REQUEST_MILLIS = 60_000;
    private static final int PARSE_MILLIS = 10_000;
    private static final int BUFFER_BYTES = 16 * 1024;

    private final AdminHandler handler;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("admin-", 0).factory());
    private final Undertow undertow;

    private AdminListener(String host, int port, AdminHandler handler) {
        this.handler = handler;
        this.undertow = Undertow.builder()
                .addHttpListener(port, host, this::receive)
                .setIoThreads(1)
                .setWorkerThreads(1)
                .setByteBufferPool(new DefaultByteBufferPool(false, BUFFER_BYTES, 64, 0))
                .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, MOST_BYTES_READ)
                .setServerOption(UndertowOptions.MAX_HEADER_SIZE, MOST_HEADER_BYTES)
                .setServerOption(UndertowOptions.MAX_HEADERS, MOST_HEADERS)
                .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, NO_REQUEST_MILLIS)
                .setServerOption(UndertowOptions.REQUEST_PARSE_TIMEOUT, PARSE_MILLIS)
                .setServerOption(UndertowOptions.DECODE_URL, false)
                .setServerOption(UndertowOptions.ALWAYS_SET_DATE, true)
                .build();
    }

    /// @throws RuntimeException when the address is taken or not this machine's
    public static AdminListener start(String host, int port, AdminHandler handler) {
        var listener = new AdminListener(host, port, handler);
        listener.undertow.start();
        return listener;
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) undertow.getListenerInfo().getFirst().getAddress();
    }

    /// Stops accepting and lets no request be half answered.
    @Override
    public void close() {
        threads.close();
        undertow.stop();
    }

    private void receive(HttpServerExchange exchange) {
        var body = new AdminBody();
        exchange.getRequestReceiver()
                .receivePartialBytes(
                        (same, part, last) -> {
                            body.add(part);
                            if (last) exchange.dispatch(threads, () -> send(exchange, answer(exchange, body)));
                        },
                        (same, failure) ->
                                exchange.setPersistent(false).setStatusCode(400).endExchange());
    }

    private Response answer(HttpServerExchange exchange, AdminBody body) {
        String requestId = UUID.randomUUID().toString();
        if (!body.isTooLarge()) return handler.handle(request(requestId, exchange, body.bytes()));
        return Problem.of(
                        "body-too-large",
                        413,
                        "Content too large",
                        "The body is larger than " + AdminHandler.MAX_BODY_BYTES + " bytes")
                .toResponse(requestId)
                .with("X-Request-Id", requestId);
    }

    private static AdminRequest request(String requestId, HttpServerExchange exchange, byte[] content) {
        Headers headers = Headers.create();
        HeaderMap sent = exchange.getRequestHeaders();
        for (HeaderValues values : sent) {
            for (String value : values) headers.add(values.getHeaderName().toString(), value);
        }
        return new AdminRequest(
                requestId,
                exchange.getRequestMethod().toString(),
                exchange.getRequestURI(),
                exchange.getQueryString(),
                headers,
                Body.of(content));
    }

    private static void send(HttpServerExchange exchange, Response response) {
        exchange.setStatusCode(response.status());
        HeaderMap headers = exchange.getResponseHeaders();
        response.headers().forEach((name, value) -> headers.add(new HttpString(name), value));
        byte[] content = response.body() instanceof HeldBody held ? held.content() : new byte[0];
        exchange.getResponseSender().send(ByteBuffer.wrap(content));
    }
}
