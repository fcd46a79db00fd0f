package gateway.wire.client;

import gateway.http.Response;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// How a call came out, handed once from the IO thread to the request thread, which made this and waits.
final class CallResult {
    private final Thread waiter = Thread.currentThread();
    private volatile boolean settled; // written after, and read before, the rest
    private @Nullable Response response;
    private @Nullable RuntimeException failure;
    private boolean unsent;
    private boolean repeatable;

    /// Blocks the request thread until the response head is here; throws what the call failed with.
    Response await() {
        boolean interrupted = false;
        while (!settled) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted(); // a park would not wait any more
        }
        if (interrupted) Thread.currentThread().interrupt();
        if (failure != null) throw failure;
        if (response == null) throw new IllegalStateException("settled without a response");
        return response;
    }

    /// After [#await]: whether another call may take the request over, since all of it can be had again.
    ///
    /// @param safe even when something of it was written
    boolean mayFollow(boolean safe) {
        return repeatable && (unsent || safe);
    }

    void answer(Response with, Sending sender) {
        settle(with, null, sender);
    }

    void fail(RuntimeException why, Sending sender) {
        settle(null, why, sender);
    }

    /// The first time counts.
    private void settle(@Nullable Response answer, @Nullable RuntimeException why, Sending sender) {
        if (settled) return;
        response = answer;
        failure = why;
        unsent = sender.isUnsent();
        repeatable = sender.isRepeatable();
        settled = true;
        LockSupport.unpark(waiter);
    }
}
