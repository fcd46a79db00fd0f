package gateway.app.proxy;

import gateway.http.Body;
import gateway.http.BodyTooLargeException;
import gateway.http.UpstreamException;
import gateway.wire.io.GatheredBody;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSourceChannel;

/// A request body that streams from the client until a policy wants its bytes.
final class RequestBody implements Body {
    private final UndertowExchange exchange;
    private final long length;

    /// @param length -1 when chunked
    RequestBody(UndertowExchange exchange, long length) {
        this.exchange = exchange;
        this.length = length;
    }

    @Override
    public OptionalLong length() {
        return length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
    }

    @Override
    public byte[] bytes(long max) {
        long most = Math.min(max, exchange.content().limit());
        if (length > most) throw new BodyTooLargeException(most);
        byte[] bytes = new Gathering(exchange, length, most).await();
        exchange.content().hold(Body.of(bytes));
        return bytes;
    }

    /// Reads the client's body on the IO thread while a virtual thread waits.
    private static final class Gathering implements Runnable {
        private final UndertowExchange exchange;
        private final long length;
        private final long max;
        private final Thread waiter = Thread.currentThread();
        private final GatheredBody gathered;
        private @Nullable RuntimeException failure;
        private volatile boolean done;

        Gathering(UndertowExchange exchange, long length, long max) {
            this.exchange = exchange;
            this.length = length;
            this.gathered = new GatheredBody(length);
            this.max = max;
        }

        byte[] await() {
            exchange.onIoThread(this);
            while (!done) LockSupport.park(this);
            if (failure != null) throw failure;
            return gathered.whole();
        }

        @Override
        public void run() {
            if (done) return;
            exchange.content().awaitsNot();
            try {
                exchange.sendContinue();
                StreamSourceChannel source = exchange.content().channel();
                if (!readAll(source)) {
                    source.getReadSetter().set(channel -> run());
                    exchange.progress().onEnd(this::clientGone);
                    source.resumeReads();
                    exchange.content().awaits(this::clientSlow);
                    return;
                }
                source.suspendReads();
                finish(null);
            } catch (IOException e) {
                clientGone();
            } catch (Throwable e) { // whatever it is, the waiter must not wait for ever
                finish(e instanceof RuntimeException known ? known : new IllegalStateException(e));
            }
        }

        private boolean readAll(StreamSourceChannel source) throws IOException {
            PooledByteBuffer pooled = exchange.ioThread().buffers().allocate();
            try {
                ByteBuffer buffer = pooled.getBuffer();
                while (true) {
                    int count = source.read(buffer.clear());
                    if (count <= 0) return count < 0 || gathered.size() == length; // the end of a stream may come later
                    exchange.content().received(buffer, 0, count);
                    if (gathered.size() + (long) count > max) throw new BodyTooLargeException(max);
                    gathered.add(buffer.flip(), exchange.bodies());
                }
            } finally {
                pooled.close();
            }
        }

        private void clientGone() {
            finish(new UpstreamException(UpstreamException.Kind.CLIENT_GONE, "the client went away"));
        }

        private void clientSlow() {
            finish(new UpstreamException(UpstreamException.Kind.CLIENT_SLOW, "the request did not come whole in time"));
        }

        private void finish(@Nullable RuntimeException why) {
            if (done) return;
            exchange.content().awaitsNot();
            failure = why;
            done = true;
            LockSupport.unpark(waiter);
        }
    }
}
