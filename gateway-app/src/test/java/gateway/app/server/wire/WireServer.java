package gateway.app.server.wire;

import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.xnio.ChannelListeners;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/// A bare Undertow listener behind the guard; notes each request that its handler gets to see and echoes its body.
final class WireServer implements AutoCloseable {
    final List<String> served = new CopyOnWriteArrayList<>();
    final List<Refusal> refused = new CopyOnWriteArrayList<>();

    private final XnioWorker worker;
    private final AcceptingChannel<? extends StreamConnection> channel;
    private final HttpOpenListener listener;

    private WireServer(OptionMap options) throws IOException {
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
                    strict.guard(connection);
                    listener.handleEvent(connection);
                }),
                OptionMap.EMPTY);
        channel.resumeAccepts();
    }

    static WireServer start() throws IOException {
        return new WireServer(OptionMap.builder()
                .set(UndertowOptions.MAX_HEADER_SIZE, 64 * 1024)
                .set(UndertowOptions.ALLOW_UNESCAPED_CHARACTERS_IN_URL, true)
                .set(UndertowOptions.DECODE_URL, false)
                .getMap());
    }

    int port() {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private void serve(HttpServerExchange exchange) {
        exchange.getRequestReceiver().receiveFullString((e, body) -> {
            served.add(e.getRequestMethod() + " " + e.getRequestURI() + " " + body);
            e.getResponseSender().send("served " + e.getRequestURI() + " " + body);
        });
    }

    @Override
    public void close() throws IOException {
        channel.close();
        listener.closeConnections();
        worker.shutdownNow();
    }
}
