package gateway.wire.io;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;

/// Makes virtual threads that an executor of the gateway's own carries.
///
/// The JDK has no public API for a virtual thread's scheduler (JDK 25), but its builder has a constructor that
/// takes one. It is reached by `Add-Opens: java.base/java.lang` in the manifest or `--add-opens` on the command line.
public final class CarriedThreads {
    /// The JDK's class that is asked.
    public static final String BUILDER = "java.lang.ThreadBuilders$VirtualThreadBuilder";

    private final MethodHandle newBuilder;

    private CarriedThreads(MethodHandle newBuilder) {
        this.newBuilder = newBuilder;
    }

    /// @param builder whose constructor takes a scheduler, such as [#BUILDER]
    /// @throws ReflectiveOperationException when this JDK has none
    /// @throws RuntimeException when it does not let it be called
    public static CarriedThreads by(String builder) throws ReflectiveOperationException {
        var constructor = Class.forName(builder).getDeclaredConstructor(Executor.class);
        constructor.setAccessible(true);
        var shape = MethodType.methodType(Thread.Builder.OfVirtual.class, Executor.class);
        return new CarriedThreads(
                MethodHandles.lookup().unreflectConstructor(constructor).asType(shape));
    }

    /// Of threads whose every turn, from start or unpark to the next park or the end, `carrier` is given to run.
    public Thread.Builder.OfVirtual builder(Executor carrier) {
        try {
            return (Thread.Builder.OfVirtual) newBuilder.invokeExact(carrier);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
