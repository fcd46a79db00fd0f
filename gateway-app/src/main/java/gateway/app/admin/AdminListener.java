package gateway.app.admin;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.wire.accept.LingeringEnd;
import gateway.wire.http1.RequestGuard;
import gateway.wire.http1.SentTarget;
import gateway.wire.io.ReasonPhrases;
import io.undertow.UndertowOptions;
import io.undertow.io.IoCallback;
import io.undertow.server.AbstractServerConnection;
import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.XnioExecutor;

/// The admin plane's listener: holds each request, has a virtual thread of the JDK's scheduler answer it, sends the
/// answer. Reads no body before the handler has admitted the head, and holds few at a time ([AdminLimits]). Apart from
/// the data plane, so that neither can starve the other.
public final class AdminListener implements AutoCloseable {
    private static final int LARGE = 32 * 1024; // bytes of a body
    private static final long MOST_BYTES_READ = 4L * AdminHandler.MAX_CHANGES_BYTES; // then the connection is cut

    private final AdminHandler handler;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("admin-", 0).factory());
    private final AdminLimits limits;
    private final Semaphore bodies;
    private final Semaphore changes = new Semaphore(1); // bodies larger than AdminHandler.MAX_BODY_BYTES
    private final Semaphore large = new Semaphore(1); // what is made of a body takes far more memory than the body
    private final AdminSocket socket;

    private AdminListener(InetSocketAddress address, AdminHandler handler, AdminLimits limits) throws IOException {
        this.handler = handler;
        this.limits = limits;
        this.bodies = new Semaphore(limits.bodies());
        this.socket = AdminSocket.open(address, this::receive, limits.connections(), options());
    }

    private static OptionMap options() {
        return OptionMap.builder()
                .set(UndertowOptions.MAX_ENTITY_SIZE, MOST_BYTES_READ)
                .set(UndertowOptions.ALWAYS_SET_DATE, true)
                .getMap();
    }

    /// @throws RuntimeException when the address is taken or not this machine's
    public static AdminListener start(String host, int port, AdminHandler handler) {
        return start(host, port, handler, AdminLimits.USUAL);
    }

    static AdminListener start(String host, int port, AdminHandler handler, AdminLimits limits) {
        try {
            return new AdminListener(new InetSocketAddress(host, port), handler, limits);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public InetSocketAddress address() {
        return socket.address();
    }

    /// Stops accepting and lets no request be half answered.
    @Override
    public void close() {
        threads.close();
        socket.close();
    }

    private void receive(HttpServerExchange exchange) {
        var server = (AbstractServerConnection) exchange.getConnection();
        RequestGuard guard = RequestGuard.of(server.getOriginalSourceConduit());
        exchange.addExchangeCompleteListener((over, next) -> end(over, guard, next));
        AdminRequest head = request(exchange, guard.target());
        if (exchange.isRequestComplete()) {
            answer(exchange, () -> handler.handle(head));
            return;
        }
        endInTime(exchange);
        if (!handler.admits(head)) {
            refuse(exchange, () -> handler.handle(head));
            return;
        }
        var body = new AdminBody(handler.mostBytes(head), changes);
        if (body.expect(exchange.getRequestContentLength()) != AdminBody.Refusal.NONE) {
            refuse(exchange, () -> answered(head, body));
        } else if (!bodies.tryAcquire()) {
            body.release();
            refuse(exchange, () -> busy(head));
        } else {
            exchange.addExchangeCompleteListener((over, next) -> {
                body.release();
                bodies.release();
                next.proceed();
            });
            gather(exchange, head, body);
        }
    }

    /// The next request may begin once the IO thread knows that this one is over.
    private static void end(HttpServerExchange over, RequestGuard guard, ExchangeCompletionListener.NextListener next) {
        try {
            over.getIoThread().execute(() -> {
                guard.requestOver();
                next.proceed();
            });
        } catch (RejectedExecutionException e) { // the listener is stopping
            next.proceed();
        }
    }

    /// However the body comes or does not come, the connection is closed when it takes too long.
    private void endInTime(HttpServerExchange exchange) {
        XnioExecutor.Key deadline = exchange.getIoThread()
                .executeAfter(
                        () -> {
                            if (!exchange.isRequestComplete()) IoUtils.safeClose(exchange.getConnection());
                        },
                        limits.patience().toMillis(),
                        TimeUnit.MILLISECONDS);
        exchange.addExchangeCompleteListener((over, next) -> {
            deadline.remove();
            next.proceed();
        });
    }

    private void gather(HttpServerExchange exchange, AdminRequest head, AdminBody body) {
        exchange.getRequestReceiver()
                .receivePartialBytes(
                        (same, part, last) -> {
                            body.add(part);
                            if (last) answer(exchange, () -> answered(head, body));
                        },
                        (same, failure) -> IoUtils.safeClose(exchange.getConnection())); // told why, if it can be
    }

    private Response answered(AdminRequest head, AdminBody body) {
        return switch (body.refusal()) {
            case NONE -> handled(head, body.bytes());
            case TOO_LARGE -> tooLarge(head, body.most());
            case NO_PLACE -> busy(head);
        };
    }

    private Response handled(AdminRequest head, byte[] body) {
        AdminRequest whole = head.withBody(Body.of(body));
        if (body.length < LARGE) return handler.handle(whole);
        large.acquireUninterruptibly();
        try {
            return handler.handle(whole);
        } finally {
            large.release();
        }
    }

    /// What comes of the body is thrown away until the client has closed or its time is over.
    private void refuse(HttpServerExchange exchange, Supplier<Response> response) {
        exchange.setPersistent(false);
        exchange.dispatch(threads, () -> send(exchange, response.get(), new LingeringEnd(limits.patience())));
    }

    private void answer(HttpServerExchange exchange, Supplier<Response> response) {
        exchange.dispatch(threads, () -> send(exchange, response.get(), IoCallback.END_EXCHANGE));
    }

    private static Response tooLarge(AdminRequest head, int most) {
        return refusal(head, "body-too-large", 413, "Content too large", "The body is larger than " + most + " bytes");
    }

    private static Response busy(AdminRequest head) {
        return refusal(head, "overloaded", 503, "Service unavailable", "Too many request bodies are being read")
                .with("Retry-After", "1");
    }

    private static Response refusal(AdminRequest head, String type, int status, String title, String detail) {
        return Problem.of(type, status, title, detail)
                .toResponse(head.requestId())
                .with("X-Request-Id", head.requestId());
    }

    private static AdminRequest request(HttpServerExchange exchange, SentTarget target) {
        Headers headers = Headers.create();
        HeaderMap sent = exchange.getRequestHeaders();
        for (HeaderValues values : sent) {
            for (String value : values) headers.add(values.getHeaderName().toString(), value);
        }
        return new AdminRequest(
                UUID.randomUUID().toString(),
                exchange.getRequestMethod().toString(),
                target.path(),
                target.query(),
                headers,
                Body.of(new byte[0]));
    }

    private static void send(HttpServerExchange exchange, Response response, IoCallback after) {
        exchange.setStatusCode(response.status());
        exchange.setReasonPhrase(ReasonPhrases.of(response.status()));
        HeaderMap headers = exchange.getResponseHeaders();
        response.headers().forEach((name, value) -> headers.add(new HttpString(name), value));
        byte[] content = response.body() instanceof HeldBody held ? held.content() : new byte[0];
        exchange.setResponseContentLength(content.length);
        exchange.getResponseSender().send(ByteBuffer.wrap(content), after);
    }
}
