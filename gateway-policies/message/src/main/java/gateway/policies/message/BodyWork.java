package gateway.policies.message;

import gateway.http.HeldBody;
import gateway.policy.Services;
import gateway.service.Workers;
import java.util.function.Supplier;

/// Where a body is worked on: small ones on the request's own thread, since a worker costs more than they do, larger
/// ones on a worker, where nobody else waits for them.
///
/// @param api whose share of the workers it takes
public record BodyWork(Workers workers, String api) {
    private static final long SMALL = 4 << 10;

    public static BodyWork of(String api, Services services) {
        return new BodyWork(services.workers(), api);
    }

    /// Whether this body is worked on where it is.
    public boolean isSmall(HeldBody body) {
        return !body.exceeds(SMALL);
    }

    /// @throws gateway.service.WorkersBusyException when no worker was free, which the pipeline answers
    public <T> T on(HeldBody body, Supplier<T> work) {
        return isSmall(body) ? work.get() : onWorker(work);
    }

    /// On a worker, however small the body is: it has turned out to take long.
    public <T> T onWorker(Supplier<T> work) {
        return workers.call(api, work::get);
    }
}
