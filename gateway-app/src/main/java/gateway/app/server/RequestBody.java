package gateway.app.server;

import gateway.http.Body;
import gateway.http.BodyTooLargeException;
import gateway.service.UpstreamException;
import io.undertow.connector.PooledByteBuffer;
import java.io.ByteArrayOutputStream;
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
        byte[] bytes = new Gathering(exchange, most).await();
        exchange.replaceBody(Body.of(bytes));
        return bytes;
    }

    /// Reads the client's body on the IO thread while a virtual thread waits.
    private static final class Gathering implements Runnable {
        private final UndertowExchange exchange;
        private final long max;
        private final Thread waiter = Thread.currentThread();
        private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
        private @Nullable RuntimeException failure;
        private volatile boolean done;

        Gathering(UndertowExchange exchange, long max) {
            this.exchange = exchange;
            this.max = max;
        }

        byte[] await() {
            exchange.onIoThread(this);
            while (!done) LockSupport.park(this);
            if (failure != null) throw failure;
            return gathered.toByteArray();
        }

        @Override
        public void run() {
            if (done) return;
            try {
                exchange.sendContinue();
                StreamSourceChannel source = exchange.content().channel();
                if (!readAll(source)) {
                    source.getReadSetter().set(channel -> run());
                    exchange.course().onEnd(this::clientGone);
                    source.resumeReads();
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
            PooledByteBuffer pooled = exchange.lane().buffers().allocate();
            try {
                ByteBuffer buffer = pooled.getBuffer();
                while (true) {
                    int count = source.read(buffer.clear());
                    if (count <= 0) return count < 0;
                    exchange.content().received(buffer, 0, count);
                    if (gathered.size() + (long) count > max) throw new BodyTooLargeException(max);
                    byte[] piece = new byte[count];
                    buffer.flip().get(piece);
                    gathered.write(piece, 0, count);
                }
            } finally {
                pooled.close();
            }
        }

        private void clientGone() {
            finish(new UpstreamException(UpstreamException.Kind.CLIENT_GONE, "the client went away"));
        }

        private void finish(@Nullable RuntimeException why) {
            if (done) return;
            failure = why;
            done = true;
            LockSupport.unpark(waiter);
        }
    }
}
