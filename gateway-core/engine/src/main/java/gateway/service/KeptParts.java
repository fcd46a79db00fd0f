package gateway.service;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Long-lived things that outlast a reload: a breaker, a cache, a key set. Found again by a key that is equal by value,
/// for as long as a snapshot that uses them is served, or is being made. What nobody serves is forgotten when the
/// next one has been made.
public final class KeptParts {
    private final ReentrantLock lock = new ReentrantLock(); // held while a part is made, never while anything waits
    private final Map<Record, KeptPart<?>> parts = new HashMap<>();
    private int making;

    /// The part of `key`, made when there is none. Whoever uses it in a snapshot says so by [KeptPart#served], and by
    /// [KeptPart#retired] when it does no longer.
    public <T> KeptPart<T> of(Record key, Class<T> type, Supplier<T> make) {
        lock.lock();
        try {
            KeptPart<?> known = parts.get(key);
            if (known == null) {
                known = new KeptPart<>(this, key, make.get());
                parts.put(key, known);
            }
            if (!type.isInstance(known.value())) throw new ClassCastException(key + " is no " + type.getName());
            @SuppressWarnings("unchecked") // its value is one of `type`
            var found = (KeptPart<T>) known;
            return found;
        } finally {
            lock.unlock();
        }
    }

    /// A snapshot is being made: parts that are made for it are found again meanwhile.
    ///
    /// @return says that it is made; parts that nothing serves are forgotten then, and come back when they
    /// are served
    public Making making() {
        lock.lock();
        try {
            making++;
        } finally {
            lock.unlock();
        }
        return this::made;
    }

    /// A snapshot that is being made.
    public interface Making extends AutoCloseable {
        @Override
        void close();
    }

    private void made() {
        lock.lock();
        try {
            if (--making == 0) parts.values().removeIf(part -> !part.isHeld());
        } finally {
            lock.unlock();
        }
    }

    /// Whether the part has its first holder now.
    boolean hold(KeptPart<?> part) {
        lock.lock();
        try {
            if (!part.gainsHolder()) return false;
            parts.putIfAbsent(part.key(), part);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Whether the part has lost its last holder.
    boolean letGo(KeptPart<?> part) {
        lock.lock();
        try {
            if (!part.losesHolder()) return false;
            if (making == 0) parts.remove(part.key(), part);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Those of `type` that a snapshot which is served uses.
    public <T> List<T> inUse(Class<T> type) {
        lock.lock();
        try {
            return parts.values().stream()
                    .filter(KeptPart::isHeld)
                    .map(KeptPart::value)
                    .filter(type::isInstance)
                    .<T>map(type::cast)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /// How many there are.
    public int size() {
        lock.lock();
        try {
            return parts.size();
        } finally {
            lock.unlock();
        }
    }
}
