package gateway.app.proxy;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedBinaryMessage;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.CloseMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import org.xnio.Pooled;

/// A WebSocket server that is not the gateway's own work: Undertow's. Sends each message back.
final class EchoSocketServer implements AutoCloseable {
    final BlockingQueue<WebSocketChannel> channels = new LinkedBlockingQueue<>();
    final BlockingQueue<Integer> closeCodes = new LinkedBlockingQueue<>();
    private final Undertow undertow;

    EchoSocketServer() {
        this(Undertow.builder().addHttpListener(0, "127.0.0.1"));
    }

    /// One that speaks TLS.
    static EchoSocketServer secure(SSLContext context) {
        return new EchoSocketServer(Undertow.builder().addHttpsListener(0, "127.0.0.1", context));
    }

    private EchoSocketServer(Undertow.Builder builder) {
        undertow = builder.setIoThreads(2)
                .setWorkerThreads(2)
                .setHandler(Handlers.websocket((_, channel) -> {
                    channels.add(channel);
                    channel.getReceiveSetter().set(new Echo());
                    channel.resumeReceives();
                }))
                .build();
        undertow.start();
    }

    String url() {
        Undertow.ListenerInfo listener = undertow.getListenerInfo().getFirst();
        return listener.getProtcol() + "://127.0.0.1:" + ((InetSocketAddress) listener.getAddress()).getPort();
    }

    @Override
    public void close() {
        undertow.stop();
    }

    private final class Echo extends AbstractReceiveListener {
        @Override
        protected void onFullTextMessage(WebSocketChannel channel, BufferedTextMessage message) {
            WebSockets.sendText(message.getData(), channel, null);
        }

        @Override
        @SuppressWarnings("deprecation") // this is how Undertow hands out what it has gathered
        protected void onFullBinaryMessage(WebSocketChannel channel, BufferedBinaryMessage message) {
            Pooled<ByteBuffer[]> data = message.getData();
            ByteBuffer whole = WebSockets.mergeBuffers(data.getResource());
            data.free();
            WebSockets.sendBinary(whole, channel, null);
        }

        @Override
        protected void onCloseMessage(CloseMessage message, WebSocketChannel channel) {
            closeCodes.add(message.getCode());
        }

        @Override
        protected long getMaxTextBufferSize() {
            return -1;
        }
    }
}
