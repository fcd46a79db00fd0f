package gateway.wire.client;

import gateway.http.BodyTooLargeException;
import gateway.http.UpstreamException;
import gateway.http.UpstreamException.Kind;
import gateway.wire.io.GatheredBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Gathers a streamed body on the IO thread for a virtual thread that waits for all of it.
final class BodyCollector implements Runnable {
    private final StreamedBody body;
    private final long max;
    private final Thread waiter = Thread.currentThread();
    private final ClientSide client;
    private final GatheredBody gathered;
    private @Nullable RuntimeException failure;
    private volatile boolean done;

    BodyCollector(StreamedBody body, ClientSide client, long max) {
        this.body = body;
        this.client = client;
        this.gathered = new GatheredBody(body.length().orElse(-1));
        this.max = max;
    }

    byte[] collect() {
        client.onIoThread(this);
        while (!done) LockSupport.park(this);
        if (failure != null) throw failure;
        return gathered.whole();
    }

    @Override
    public void run() {
        if (done) return;
        try {
            ByteBuffer content = body.next(this);
            while (content != null) {
                if (gathered.size() + (long) content.remaining() > max) throw new BodyTooLargeException(max);
                gathered.add(content, client.bodies());
                content = body.next(this);
            }
            if (!body.ended()) return;
        } catch (IOException e) {
            failure = new UpstreamException(Kind.BROKEN, "the upstream broke off");
        } catch (Throwable e) { // whatever it is, the waiter must not wait for ever
            failure = e instanceof RuntimeException known ? known : new IllegalStateException(e);
        }
        done = true;
        LockSupport.unpark(waiter);
    }
}
