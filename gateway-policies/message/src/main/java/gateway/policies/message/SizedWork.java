package gateway.policies.message;

import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.service.Workers;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// Work that grows with a body: on the request's own thread while that is small, since a hand-over costs more, else on
/// a worker.
///
/// @param most bytes for the request's own thread
public record SizedWork(Workers workers, long most) {
    /// Throws what `work` throws.
    ///
    /// @throws gateway.service.WorkersBusyException when it was not begun
    public <T> T on(HeldBody body, Exchange exchange, Callable<T> work) {
        if (body.exceeds(most)) return workers.call(exchange.api(), work);
        try {
            return work.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("work on bodies throws no checked exception", e);
        }
    }

    /// The same for work of which only doing it shows how much it is: what is too much for the request's own thread is
    /// done once more on a worker, from its begin.
    ///
    /// @param brief throws a [BoundReachedException] when it is too much
    /// @throws gateway.service.WorkersBusyException when it was not begun
    public <T> T on(HeldBody body, Exchange exchange, Supplier<T> brief, Callable<T> whole) {
        return body.exceeds(most) ? workers.call(exchange.api(), whole) : begun(exchange.api(), brief, whole);
    }

    /// The same for work of whose size nothing is known before.
    ///
    /// @param share whose work it is
    /// @param brief throws a [BoundReachedException] when it is too much
    /// @throws gateway.service.WorkersBusyException when it was not begun
    public <T> T begun(String share, Supplier<T> brief, Callable<T> whole) {
        try {
            return brief.get();
        } catch (BoundReachedException _) {
            return workers.call(share, whole);
        }
    }
}
