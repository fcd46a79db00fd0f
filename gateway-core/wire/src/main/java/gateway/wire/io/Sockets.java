package gateway.wire.io;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;
import org.xnio.ssl.SslConnection;

/// Closes connections at the price of a system call.
///
/// For each connection that an IO thread of XNIO closes, it asks the kernel which of all its sockets are ready, up to
/// 1,024 of them. Under attack a thousand are: 0.3 ms for each connection that is closed, so that the fewer an IO
/// thread had time for, the longer each took. A virtual thread that the IO thread carries is another thread to XNIO,
/// which then leaves the socket to the next time that the IO thread asks anyway. See decision 136.
public final class Sockets {
    private static final @Nullable CarriedThreads CARRIED = carried();
    private static final Executor LATER = new ThreadPoolExecutor( // one thread, and none a second after the last turn
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("gateway closing").factory());

    private Sockets() {}

    /// Closes it, nearly always before this returns. May be called by any thread.
    public static void close(StreamConnection connection) {
        if (connection instanceof SslConnection) IoUtils.safeClose(connection); // which closes its socket by this
        else mayClose(connection.getIoThread(), () -> IoUtils.safeClose(connection));
    }

    /// Does work of which XNIO may close a connection of `io`, nearly always before this returns.
    @SuppressWarnings("ReferenceEquality") // which thread this is
    public static void mayClose(XnioIoThread io, Runnable work) {
        if (CARRIED == null || Thread.currentThread() != io) work.run();
        else CARRIED.builder(new FirstHere()).start(work);
    }

    /// Carries a thread: its first turn where it is started. A later one, after a lock was not to be had, elsewhere,
    /// since the IO thread may wait for that very lock.
    private static final class FirstHere implements Executor {
        private boolean begun;

        @Override
        public void execute(Runnable turn) {
            if (begun) {
                LATER.execute(turn);
                return;
            }
            begun = true;
            turn.run();
        }
    }

    private static @Nullable CarriedThreads carried() {
        try {
            return CarriedThreads.by(CarriedThreads.BUILDER);
        } catch (ReflectiveOperationException | RuntimeException e) { // told by who makes the threads of requests
            return null;
        }
    }
}
