package gateway.wire.memory;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;

/// The memory of the process that may be held for callers: a [Budget] for each [Kind]. What it promises together is
/// less than there is, so whoever keeps to it cannot exhaust the process.
public final class MemoryBudget {
    private final Map<Kind, Budget> budgets = new EnumMap<>(Kind.class);
    private volatile Pressure pressure = Pressure.NONE;
    private volatile Pressure atTheDoor = Pressure.NONE;

    /// @param heap most bytes of the heap
    /// @param direct most bytes of direct memory
    public MemoryBudget(long heap, long direct) {
        for (Kind kind : Kind.values()) budgets.put(kind, new Budget(kind.most(heap, direct), this::look));
    }

    /// As large as this JVM lets its heap and its direct memory grow.
    public static MemoryBudget ofThisProcess() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory(), DirectMemory.most());
    }

    /// As often as it changes meanwhile, see [Budget].
    private void look() {
        for (Pressure seen = fullest(Kind::presses); seen != pressure; seen = fullest(Kind::presses)) pressure = seen;
        for (Pressure seen = fullest(Kind::turnsAway); seen != atTheDoor; seen = fullest(Kind::turnsAway)) {
            atTheDoor = seen;
        }
    }

    private Pressure fullest(Predicate<Kind> counted) {
        Pressure most = Pressure.NONE;
        for (Map.Entry<Kind, Budget> each : budgets.entrySet()) {
            Pressure one = each.getValue().pressure();
            if (counted.test(each.getKey()) && one.compareTo(most) > 0) most = one;
        }
        return most;
    }

    @SuppressWarnings("NullAway") // there is one for each kind
    public Budget of(Kind kind) {
        return budgets.get(kind);
    }

    /// Whether requests whose clients keep silent are to be shed: before anybody else has to notice.
    public boolean isCrowded() {
        return pressure != Pressure.NONE || of(Kind.HEADS).isCrowded();
    }

    /// That of the fullest budget among those that press.
    public Pressure pressure() {
        return pressure;
    }

    /// Whether a new connection is closed at once: what it would take is nearly used up. Bodies that are held are none
    /// of that.
    public boolean turnsNewcomersAway() {
        return atTheDoor != Pressure.NONE;
    }
}
