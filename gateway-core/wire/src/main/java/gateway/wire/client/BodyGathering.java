package gateway.wire.client;

import gateway.http.BodyTooLargeException;
import gateway.wire.io.GatheredBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Gathers a body on the IO thread, whichever way it streams, for a virtual thread that waits for all of it.
public final class BodyGathering implements Runnable {
    private final Source source;
    private final ClientSide client;
    private final long max;
    private final Thread waiter = Thread.currentThread();
    private final GatheredBody gathered;
    private @Nullable RuntimeException failure;
    private volatile boolean done;

    /// Where the body comes from. Used on the IO thread.
    public interface Source {
        /// Hands what is here to `to`; answers whether that was all. Otherwise `to` is run when there is more, or
        /// [#fail] tells it why there will not be.
        boolean moveTo(BodyGathering to) throws IOException;

        /// What is told when it breaks off.
        RuntimeException brokenOff();
    }

    /// @param client on whose IO thread, and of whose memory
    /// @param length bytes that are announced; -1 when not known
    /// @param max most bytes that are wanted
    public BodyGathering(Source source, ClientSide client, long length, long max) {
        this.source = source;
        this.client = client;
        this.gathered = new GatheredBody(length);
        this.max = max;
    }

    /// Blocks until all of it is here.
    ///
    /// @throws BodyTooLargeException when more comes than is wanted
    public byte[] await() {
        client.onIoThread(this);
        boolean interrupted = false;
        while (!done) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted(); // a park would not wait any more
        }
        if (interrupted) Thread.currentThread().interrupt();
        if (failure != null) throw failure;
        return gathered.whole();
    }

    @Override
    public void run() {
        if (done) return;
        try {
            if (source.moveTo(this)) end(null);
        } catch (IOException e) {
            end(source.brokenOff());
        } catch (Throwable e) { // whatever it is, the waiter must not wait for ever
            end(e instanceof RuntimeException known ? known : new IllegalStateException(e));
        }
    }

    /// Takes `more`.
    public void add(ByteBuffer more) {
        if (gathered.size() + (long) more.remaining() > max) throw new BodyTooLargeException(max);
        gathered.add(more, client.bodies());
    }

    /// What was taken, and `more` that is too much: for whoever goes on without having all of it.
    ///
    /// @throws gateway.http.UpstreamException when there is no memory for it
    public byte[] with(ByteBuffer more) {
        gathered.add(more, client.bodies());
        return gathered.whole();
    }

    /// What was taken.
    byte[] taken() {
        return gathered.whole();
    }

    /// Bytes that have come.
    public int size() {
        return gathered.size();
    }

    /// The rest will not come.
    public void fail(RuntimeException why) {
        if (!done) end(why);
    }

    private void end(@Nullable RuntimeException why) {
        failure = why;
        done = true;
        LockSupport.unpark(waiter);
    }
}
