package gateway.policies.message;

import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.service.Workers;
import java.util.concurrent.Callable;

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
}
