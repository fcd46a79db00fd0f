package gateway.app.commands;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Asks Linux to wake the current thread without its usual slack of 50 µs (prctl(2), `PR_SET_TIMERSLACK`).
final class PreciseTimers {
    private static final int PR_SET_TIMERSLACK = 29;

    private PreciseTimers() {}

    /// Elsewhere than on Linux nothing happens: the generator's lag tells.
    @SuppressWarnings("restricted") // the jar's manifest enables native access
    static void take() {
        Linker linker = Linker.nativeLinker();
        var place = linker.defaultLookup().find("prctl");
        if (place.isEmpty()) return;
        var shape = FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
        MethodHandle prctl = linker.downcallHandle(place.get(), shape, Linker.Option.firstVariadicArg(1));
        try {
            int _ = (int) prctl.invokeExact(PR_SET_TIMERSLACK, 1L, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("prctl cannot be called", e);
        }
    }
}
