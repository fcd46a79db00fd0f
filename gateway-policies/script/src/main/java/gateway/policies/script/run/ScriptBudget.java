package gateway.policies.script.run;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// What is left of the bounds of one run, on one thread of the platform: of virtual ones the JVM does not tell what
/// they have asked for.
///
/// Time is that of the processor, so that a script is not stopped for what others do to the machine. The clock on the
/// wall is looked at first, since that costs a tenth.
public final class ScriptBudget {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final long GLANCE_NANOS = 200_000; // less than laying out the longest text takes

    private final ScriptBounds bounds;
    private final long nanos;
    private final long begun = System.nanoTime();
    private final long workBegun = THREADS.getCurrentThreadCpuTime();
    private final long memoryBegun = THREADS.getCurrentThreadAllocatedBytes();
    private long instructions;
    private long looked = begun; // when what is used up was looked at last

    private ScriptBudget(ScriptBounds bounds) {
        this.bounds = bounds;
        this.nanos = bounds.time().toNanos();
    }

    /// A run begins now, on this thread.
    public static ScriptBudget begin(ScriptBounds bounds) {
        return new ScriptBudget(bounds);
    }

    /// So many more instructions have been done.
    ///
    /// @throws ScriptStoppedError when anything is used up, from then on each time
    public void spend(long more) {
        instructions += more;
        if (instructions > bounds.instructions()) throw new ScriptStoppedError(StopReason.INSTRUCTIONS);
        if (THREADS.getCurrentThreadAllocatedBytes() - memoryBegun > bounds.memory())
            throw new ScriptStoppedError(StopReason.MEMORY);
        looked = System.nanoTime();
        if (looked - begun > nanos && THREADS.getCurrentThreadCpuTime() - workBegun > nanos)
            throw new ScriptStoppedError(StopReason.TIME);
    }

    /// Before what may take long, and mostly does not: looks at what is used up unless that was done within the last
    /// fifth of a millisecond.
    ///
    /// @throws ScriptStoppedError when anything is used up
    public void glance() {
        if (System.nanoTime() - looked >= GLANCE_NANOS) spend(0);
    }
}
