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
/// The JDK has no public API for a virtual thread's scheduler (JDK 25), but its builder has a constructor that takes
/// one.
/// It is reached by `Add-Opens: java.base/java.lang` in the manifest or `--add-opens` on the command line; when it is
/// not
/// there, requests run on the JDK's scheduler.
final class RequestThreads {
    private static final Logger LOG = LoggerFactory.getLogger(RequestThreads.class);

    private final @Nullable MethodHandle newBuilder;

    private RequestThreads(@Nullable MethodHandle newBuilder) {
        this.newBuilder = newBuilder;
    }

    static RequestThreads of(RequestThreadMode wanted) {
        leaveUntracked();
        return switch (wanted) {
            case JDK -> new RequestThreads(null);
            case IO -> new RequestThreads(builderOfCarried().orElse(null));
        };
    }

    /// The JDK enters every virtual thread into a table of all threads, for dumps; at tens of thousands a second that
    /// costs.
    /// Only has effect before the first virtual thread starts, and only when nobody said otherwise.
    private static void leaveUntracked() {
        if (System.getProperty("jdk.trackAllThreads") == null) System.setProperty("jdk.trackAllThreads", "false");
    }

    RequestThreadMode mode() {
        return newBuilder == null ? RequestThreadMode.JDK : RequestThreadMode.IO;
    }

    RequestThread on(XnioIoThread io) {
        return newBuilder == null ? new ScheduledThread(io) : new CarriedThread(newBuilder, io);
    }

    private static Optional<MethodHandle> builderOfCarried() {
        try {
            var constructor = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            var type = MethodType.methodType(Thread.Builder.OfVirtual.class, Executor.class);
            return Optional.of(
                    MethodHandles.lookup().unreflectConstructor(constructor).asType(type));
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn(
                    "request threads run on the JDK's scheduler: this JDK does not let IO threads carry them ({})",
                    e.toString());
            return Optional.empty();
        }
    }
}
