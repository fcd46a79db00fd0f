package gateway.wire.io;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.XnioIoThread;

/// Makes the virtual thread of each request, in one of two ways.
/// Where the JDK does not let IO threads carry them, they run on its own scheduler.
public final class RequestThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestThreads.class);

    private final @Nullable Carried carried;

    private record Carried(CarriedThreads threads, CarrierWatch watch) {}

    private RequestThreads(@Nullable Carried carried) {
        this.carried = carried;
    }

    public static RequestThreads of(RequestThreadMode wanted) {
        return of(wanted, CarriedThreads.BUILDER);
    }

    /// @param builder the class of the JDK whose constructor takes a scheduler
    static RequestThreads of(RequestThreadMode wanted, String builder) {
        ThreadTable.leaveUntracked();
        return switch (wanted) {
            case JDK -> new RequestThreads(null);
            case IO ->
                new RequestThreads(builderOfCarried(builder)
                        .map(found -> new Carried(found, CarrierWatch.start()))
                        .orElse(null));
        };
    }

    public RequestThreadMode mode() {
        return carried == null ? RequestThreadMode.JDK : RequestThreadMode.IO;
    }

    public RequestThread on(XnioIoThread io) {
        if (carried == null) return new ScheduledThread(io);
        return new CarriedThread(carried.threads, carried.watch.carrier(io));
    }

    /// Runs what of these threads was woken on `io` and waits for it. To be called on that IO thread, as the last
    /// act of a callback of its loop that may have woken some.
    public Runnable turnsOn(XnioIoThread io) {
        return carried == null ? () -> {} : carried.watch.carrier(io)::runHanded;
    }

    /// Turns that did not run on their IO thread, since it waited for a lock.
    public long rescued() {
        return carried == null ? 0 : carried.watch.rescued();
    }

    @Override
    public void close() {
        if (carried != null) carried.watch.close();
    }

    private static Optional<CarriedThreads> builderOfCarried(String type) {
        try {
            return Optional.of(CarriedThreads.by(type));
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn(
                    "request threads run on the JDK's scheduler: this JDK does not let IO threads carry them ({})",
                    e.toString());
            return Optional.empty();
        }
    }
}
