package gateway.policies.message.xslt;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;
import net.sf.saxon.trans.UncheckedXPathException;
import net.sf.saxon.trans.XPathException;

/// The time and memory that one transformation may still take. Used by one thread of the platform: of virtual ones the
/// JVM does not tell what they have asked for.
final class TransformBudget {
    /// That of the transformation which this thread is at.
    static final ScopedValue<TransformBudget> CURRENT = ScopedValue.newInstance();

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int LOOKS_APART = 64; // a look costs more than most steps do

    private final LongSupplier nanos;
    private final LongSupplier allocated;
    private final long end;
    private final long full;
    private int steps;
    private Spent spent = Spent.NOTHING;

    /// What is used up.
    enum Spent {
        NOTHING,
        TIME,
        MEMORY
    }

    /// @param memory bytes that may be asked for, given back or not
    TransformBudget(Duration time, long memory) {
        this(time, System::nanoTime, memory, THREADS::getCurrentThreadAllocatedBytes);
    }

    TransformBudget(Duration time, LongSupplier nanos, long memory, LongSupplier allocated) {
        this.nanos = nanos;
        this.allocated = allocated;
        this.end = nanos.getAsLong() + time.toNanos();
        this.full = allocated.getAsLong() + memory;
    }

    /// One step more is done.
    ///
    /// @throws UncheckedXPathException when that was the last one: Saxon would take any other for a defect of its
    ///     own, and print it
    void step() {
        if (++steps % LOOKS_APART == 0 && nanos.getAsLong() - end >= 0) spend(Spent.TIME);
        if (steps % LOOKS_APART == 0 || spent != Spent.NOTHING) look();
    }

    /// A function or template is called: one step, which may double what the one before has made.
    ///
    /// @throws UncheckedXPathException likewise
    void call() {
        step();
        look();
    }

    private void look() {
        if (allocated.getAsLong() - full > 0) spend(Spent.MEMORY);
        switch (spent) {
            case TIME -> throw new UncheckedXPathException(new XPathException("no time is left"));
            case MEMORY -> throw new UncheckedXPathException(new XPathException("no memory is left"));
            case NOTHING -> {}
        }
    }

    private void spend(Spent what) {
        if (spent == Spent.NOTHING) spent = what;
    }

    Spent spent() {
        return spent;
    }
}
