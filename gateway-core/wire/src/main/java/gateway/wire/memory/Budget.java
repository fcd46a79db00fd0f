package gateway.wire.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// How many bytes of one kind may be held at once. Taking never waits: what does not fit is refused, and counted.
///
/// IO threads take by way of a [Purse], which spares them this shared number.
public final class Budget {
    private final long most;
    private final Runnable whenPressureChanges;
    private final AtomicLong taken = new AtomicLong();
    private final LongAdder refused = new LongAdder();
    private volatile Pressure pressure = Pressure.NONE;
    private volatile boolean crowded;
    private volatile LongSupplier elsewhere = () -> 0;

    /// @param most bytes
    public Budget(long most) {
        this(most, () -> {});
    }

    /// @param whenPressureChanges told after [#pressure] is another, on the thread that took or gave back
    Budget(long most, Runnable whenPressureChanges) {
        this.most = most;
        this.whenPressureChanges = whenPressureChanges;
    }

    /// Takes `bytes` until they are given back; false, and nothing is taken, when they do not fit.
    public boolean take(long bytes) {
        if (takeUncounted(bytes)) return true;
        refuse();
        return false;
    }

    /// The same for one who asks for less when it does not fit: no refusal is counted.
    boolean takeUncounted(long bytes) {
        long before = taken.get();
        while (before + bytes <= most) {
            long seen = taken.compareAndExchange(before, before + bytes);
            if (seen == before) {
                look();
                return true;
            }
            before = seen;
        }
        return false;
    }

    /// Counts what was refused without having been asked for here.
    void refuse() {
        refused.increment();
    }

    /// Takes `bytes` whether they fit or not: for what is bounded by other means, and would break others if refused.
    public void takeAnyway(long bytes) {
        taken.addAndGet(bytes);
        look();
    }

    /// A budget of so many bytes of this one, which it keeps for good.
    public Budget part(long bytes) {
        takeAnyway(bytes);
        return new Budget(bytes);
    }

    /// Gives back what was taken.
    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
        look();
    }

    /// Whoever has told the pressure looks once more: another may have taken or given back meanwhile, and what was told
    /// last would stay.
    private void look() {
        for (Pressure seen = now(); seen != pressure; seen = now()) {
            pressure = seen;
            whenPressureChanges.run();
        }
        for (boolean seen = nowCrowded(); seen != crowded; seen = nowCrowded()) crowded = seen;
    }

    private boolean nowCrowded() {
        return taken.get() >= (crowded ? roomyAt() : Pressure.crowdedAt(most));
    }

    private Pressure now() {
        return Pressure.of(taken.get(), most);
    }

    /// What is held of this kind is bounded and counted by its holder, who tells how many bytes it is.
    public void countedBy(LongSupplier holder) {
        elsewhere = holder;
    }

    /// Bytes that are taken, among them those that purses keep.
    public long taken() {
        return taken.get() + elsewhere.getAsLong();
    }

    /// Bytes that may be taken at once.
    public long most() {
        return most;
    }

    /// How often something did not fit.
    public long refused() {
        return refused.sum();
    }

    /// As of the latest change.
    public Pressure pressure() {
        return pressure;
    }

    /// Whether it is time to shed what keeps silent: from five eighths on, which is before memory is tight, until half.
    public boolean isCrowded() {
        return crowded;
    }

    /// How many bytes are to be given back until it is no longer crowded.
    public long excess() {
        return Math.max(0, taken.get() - roomyAt() + 1);
    }

    /// How many bytes may be taken until it is crowded.
    public long untilCrowded() {
        return Math.max(0, Pressure.crowdedAt(most) - taken.get());
    }

    private long roomyAt() {
        return most / 2;
    }
}
