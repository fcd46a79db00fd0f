package gateway.policies.message.xslt;

import java.time.Duration;
import java.util.function.LongSupplier;

/// The time that one transformation may still take. Used by one thread.
final class TransformTime {
    /// That of the transformation which this thread is at.
    static final ScopedValue<TransformTime> CURRENT = ScopedValue.newInstance();

    private static final int LOOKS_APART = 64; // the clock costs more than most steps do

    /// Ends a transformation from within, wherever it is.
    static final class SpentException extends RuntimeException {
        private static final long serialVersionUID = 1;

        SpentException() {
            super("no time is left", null, false, false);
        }
    }

    private final LongSupplier nanos;
    private final long end;
    private int steps;
    private boolean spent;

    TransformTime(Duration most, LongSupplier nanos) {
        this.nanos = nanos;
        this.end = nanos.getAsLong() + most.toNanos();
    }

    /// One step more is done.
    ///
    /// @throws SpentException when that was the last one
    void step() {
        if (spent || (++steps % LOOKS_APART == 0 && nanos.getAsLong() - end >= 0)) {
            spent = true;
            throw new SpentException();
        }
    }

    boolean isSpent() {
        return spent;
    }
}
