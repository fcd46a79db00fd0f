package gateway.wire.http1;

import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.server.AbstractServerConnection;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.xnio.ChannelListeners;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/// A bare Undertow listener behind the guard; notes each request that its handler gets to see and echoes its body.
final class StrictServer implements AutoCloseable {
    final List<String> served = new CopyOnWriteArrayList<>();
    final List<Refusal> refused = new CopyOnWriteArrayList<>();
    final List<String> parsed = new CopyOnWriteArrayList<>();
    final AtomicLong held = new AtomicLong();

    private final XnioWorker worker;
    private final AcceptingChannel<? extends StreamConnection> channel;
    private final HttpOpenListener listener;

    private StrictServer(OptionMap options) throws IOException {
        worker = Xnio.getInstance()
                .createWorker(OptionMap.create(Options.WORKER_IO_THREADS, 1, Options.WORKER_TASK_MAX_THREADS, 2));
        ByteBufferPool pool = new DefaultByteBufferPool(true, 4096, 100, 0);
        listener = new HttpOpenListener(pool, options);
        listener.setRootHandler(this::serve);
        var strict = new StrictRequests(WireLimits.DEFAULT, () -> "test-id", refused::add);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        channel = worker.createStreamConnectionServer(
                address,
                ChannelListeners.openListenerAdapter(connection -> {
                    strict.guard(connection, new Room());
                    listener.handleEvent(connection);
                }),
                OptionMap.EMPTY);
        channel.resumeAccepts();
    }

    static StrictServer start() throws IOException {
        return new StrictServer(OptionMap.builder()
                .set(UndertowOptions.MAX_HEADER_SIZE, 64 * 1024)
                .getMap());
    }

    int port() {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private void serve(HttpServerExchange exchange) {
        var server = (AbstractServerConnection) exchange.getConnection();
        RequestGuard guard = RequestGuard.of(server.getOriginalSourceConduit());
        SentTarget target = guard.target();
        String asked = target.query().isEmpty() ? target.path() : target.path() + "?" + target.query();
        parsed.add(exchange.getRequestURI() + exchange.getQueryString());
        exchange.addExchangeCompleteListener((over, next) -> {
            guard.requestOver();
            next.proceed();
        });
        exchange.getRequestReceiver().receiveFullString((e, body) -> {
            served.add(e.getRequestMethod() + " " + asked + " " + body);
            e.getResponseSender().send("served " + asked + " " + body);
        });
    }

    /// Memory without end; what was taken of it last.
    private final class Room implements HeadRoom {
        private long bytes;

        @Override
        public boolean hold(long needed) {
            held.addAndGet(needed - bytes);
            bytes = needed;
            return true;
        }

        @Override
        public void headBegun() {}

        @Override
        public void headWhole() {}

        @Override
        public void requestOver() {}
    }

    @Override
    public void close() throws IOException {
        channel.close();
        listener.closeConnections();
        worker.shutdownNow();
    }
}
