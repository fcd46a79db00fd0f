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
    private final ClientRequest client;
    private final RequestContent content;

    RequestBody(ClientRequest client, RequestContent content) {
        this.client = client;
        this.content = content;
    }

    @Override
    public OptionalLong length() {
        if (content.held() != null) return content.held().length();
        long length = content.length();
        return length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
    }

    @Override
    public byte[] bytes(long max) {
        if (content.held() != null) return content.held().bytes(max);
        long most = Math.min(max, content.limit());
        if (content.length() > most) throw new BodyTooLargeException(most);
        byte[] bytes = new Gathering(client, content, most).await();
        content.hold(Body.of(bytes));
        return bytes;
    }

    /// Reads the client's body on the IO thread while a virtual thread waits.
    private static final class Gathering implements Runnable {
        private final ClientRequest client;
        private final RequestContent content;
        private final long max;
        private final Thread waiter = Thread.currentThread();
        private final GatheredBody gathered;
        private @Nullable RuntimeException failure;
        private volatile boolean done;

        Gathering(ClientRequest client, RequestContent content, long max) {
            this.client = client;
            this.content = content;
            this.gathered = new GatheredBody(content.length());
            this.max = max;
        }

        byte[] await() {
            client.onIoThread(this);
            while (!done) LockSupport.park(this);
            if (failure != null) throw failure;
            return gathered.whole();
        }

        @Override
        public void run() {
            if (done) return;
            content.awaitsNot();
            try {
                client.sendContinue();
                StreamSourceChannel source = content.channel();
                if (!readAll(source)) {
                    source.getReadSetter().set(channel -> run());
                    client.progress().onEnd(this::clientGone);
                    source.resumeReads();
                    content.awaits(this::clientSlow);
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
            PooledByteBuffer pooled = client.ioThread().buffers().allocate();
            try {
                ByteBuffer buffer = pooled.getBuffer();
                while (true) {
                    int count = source.read(buffer.clear());
                    if (count <= 0)
                        return count < 0 || gathered.size() == content.length(); // the end of a stream may come later
                    content.received(buffer, 0, count);
                    if (gathered.size() + (long) count > max) throw new BodyTooLargeException(max);
                    gathered.add(buffer.flip(), client.bodies());
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
            content.awaitsNot();
            failure = why;
            done = true;
            LockSupport.unpark(waiter);
        }
    }
}
