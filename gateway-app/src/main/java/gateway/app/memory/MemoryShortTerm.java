package gateway.app.memory;

import gateway.service.ShortTerm;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// Short-term values in this process, a table for each use with an even part of the memory: a flood of one use takes no
/// room from another. They are kept nowhere and end with the process.
public final class MemoryShortTerm implements ShortTerm {
    private final EpochClock clock;
    private final Map<ShortTermUse, ShortTermTable> tables = new EnumMap<>(ShortTermUse.class);

    private MemoryShortTerm(EpochClock clock, long most) {
        this.clock = clock;
        long part = most / ShortTermUse.values().length;
        for (ShortTermUse use : ShortTermUse.values()) tables.put(use, new ShortTermTable(use, part));
    }

    /// @param most bytes of all values together, with what it takes to find them
    public static MemoryShortTerm of(InstantSource clock, long most) {
        return new MemoryShortTerm(EpochClock.of(clock), most);
    }

    /// Bytes that values take now, among them those that have ended and whose room nobody has needed yet.
    public long bytes() {
        long bytes = 0;
        for (ShortTermTable table : tables.values()) bytes += table.bytes();
        return bytes;
    }

    @Override
    public boolean putIfAbsent(ShortTermName name, ShortTermValue value) {
        return table(name).putIfAbsent(name.digest(), value, clock.nanos());
    }

    @Override
    public void put(ShortTermName name, ShortTermValue value) {
        table(name).put(name.digest(), value, clock.nanos());
    }

    @Override
    public Optional<String> get(ShortTermName name) {
        return table(name).get(name.digest(), clock.nanos());
    }

    @Override
    public boolean remove(ShortTermName name) {
        return table(name).remove(name.digest(), clock.nanos());
    }

    @SuppressWarnings("NullAway") // there is one for each use
    private ShortTermTable table(ShortTermName name) {
        return tables.get(name.use());
    }
}
