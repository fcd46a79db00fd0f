package gateway.app.server;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.XnioIoThread;

/// Makes the virtual thread of each request, in one of two ways.
///
/// The JDK has no public API for a virtual thread's scheduler (JDK 25), but its builder has a constructor that
/// takes one. It is reached by `Add-Opens: java.base/java.lang` in the manifest or `--add-opens` on the command
/// line; when it is not there, requests run on the JDK's scheduler.
final class RequestThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestThreads.class);

    private static final String BUILDER = "java.lang.ThreadBuilders$VirtualThreadBuilder";

    private final @Nullable Carried carried;

    private record Carried(MethodHandle newBuilder, CarrierWatch watch) {}

    private RequestThreads(@Nullable Carried carried) {
        this.carried = carried;
    }

    static RequestThreads of(RequestThreadMode wanted) {
        return of(wanted, BUILDER);
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

    RequestThreadMode mode() {
        return carried == null ? RequestThreadMode.JDK : RequestThreadMode.IO;
    }

    RequestThread on(XnioIoThread io) {
        if (carried == null) return new ScheduledThread(io);
        return new CarriedThread(carried.newBuilder, carried.watch.carrier(io));
    }

    /// Turns that did not run on their IO thread, since it waited for a lock.
    long rescued() {
        return carried == null ? 0 : carried.watch.rescued();
    }

    @Override
    public void close() {
        if (carried != null) carried.watch.close();
    }

    private static Optional<MethodHandle> builderOfCarried(String type) {
        try {
            var constructor = Class.forName(type).getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            var shape = MethodType.methodType(Thread.Builder.OfVirtual.class, Executor.class);
            return Optional.of(
                    MethodHandles.lookup().unreflectConstructor(constructor).asType(shape));
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn(
                    "request threads run on the JDK's scheduler: this JDK does not let IO threads carry them ({})",
                    e.toString());
            return Optional.empty();
        }
    }
}
