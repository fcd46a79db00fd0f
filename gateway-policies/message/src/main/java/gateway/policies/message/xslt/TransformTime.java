package gateway.policies.message.xslt;

import java.time.Duration;
import java.util.function.LongSupplier;
import net.sf.saxon.trans.UncheckedXPathException;
import net.sf.saxon.trans.XPathException;

/// The time that one transformation may still take. Used by one thread.
final class TransformTime {
    /// That of the transformation which this thread is at.
    static final ScopedValue<TransformTime> CURRENT = ScopedValue.newInstance();

    private static final int LOOKS_APART = 64; // the clock costs more than most steps do

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
    /// @throws UncheckedXPathException when that was the last one: Saxon would take any other for a defect of its
    ///     own, and print it
    void step() {
        if (spent || (++steps % LOOKS_APART == 0 && nanos.getAsLong() - end >= 0)) {
            spent = true;
            throw new UncheckedXPathException(new XPathException("no time is left"));
        }
    }

    boolean isSpent() {
        return spent;
    }
}
