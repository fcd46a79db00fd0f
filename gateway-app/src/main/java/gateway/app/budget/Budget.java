package gateway.app.budget;

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
        boolean fits = taken.addAndGet(bytes) <= most;
        if (!fits) {
            taken.addAndGet(-bytes);
            refuse();
        }
        look();
        return fits;
    }

    /// Counts what was refused without having been asked for here.
    void refuse() {
        refused.increment();
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
}
