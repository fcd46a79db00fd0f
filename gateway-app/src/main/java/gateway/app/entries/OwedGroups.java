package gateway.app.entries;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Groups of entries that a store could not be told to forget, each with a number that is another once it is owed anew.
/// Bounded: beyond that everything is owed.
public final class OwedGroups {
    private static final int MOST = 10_000;
    private static final int MOST_CHARACTERS = 4 << 20;

    private final Map<String, Long> groups = new ConcurrentHashMap<>();
    private final AtomicLong characters = new AtomicLong();
    private final AtomicLong debts = new AtomicLong();
    private final AtomicLong all = new AtomicLong(); // the debt of more than are remembered; 0: none

    public void add(String group) {
        long debt = debts.incrementAndGet();
        boolean fits = groups.size() < MOST && characters.addAndGet(group.length()) <= MOST_CHARACTERS;
        if (!fits) all.set(debt);
        else if (groups.put(group, debt) != null) characters.addAndGet(-group.length());
    }

    /// From now on everything is owed.
    public void addAll() {
        all.set(debts.incrementAndGet());
    }

    public boolean contains(String group) {
        return all.get() != 0 || groups.containsKey(group);
    }

    /// The debt of everything, or 0.
    public long all() {
        return all.get();
    }

    /// Everything is forgotten, as far as it was owed by `debt`; what was owed since then is owed yet.
    public void settleAll(long debt) {
        groups.forEach((group, each) -> {
            if (each <= debt) settle(group, each);
        });
        if (all.compareAndSet(debt, 0))
            characters.set(groups.keySet().stream().mapToLong(String::length).sum());
    }

    /// Some of them, with their debts.
    public List<Map.Entry<String, Long>> some(int most) {
        return groups.entrySet().stream().limit(most).map(Map.Entry::copyOf).toList();
    }

    public void settle(String group, long debt) {
        if (groups.remove(group, debt)) characters.addAndGet(-group.length());
    }
}
