package gateway.route;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A hash map from path segments to values that is asked with a region of a longer path, so that a lookup makes no
/// substring. Open addressing, at most half full.
final class Segments<V> {
    private @Nullable String[] keys = new String[4];
    private @Nullable Object[] values = new Object[4];
    private int size;

    @Nullable
    V get(String path, int begin, int end) {
        if (size == 0) return null;
        int hash = 0;
        for (int i = begin; i < end; i++) hash = 31 * hash + path.charAt(i);
        int mask = keys.length - 1;
        for (int slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
            String key = keys[slot];
            if (key == null) return null;
            if (key.length() == end - begin && path.startsWith(key, begin)) return value(slot);
        }
    }

    V computeIfAbsent(String segment, Supplier<V> make) {
        V found = get(segment, 0, segment.length());
        if (found != null) return found;
        if (2 * (size + 1) > keys.length) grow();
        V made = make.get();
        put(segment, made);
        size++;
        return made;
    }

    private void put(String key, Object value) {
        int mask = keys.length - 1;
        int slot = spread(key.hashCode()) & mask;
        while (keys[slot] != null) slot = (slot + 1) & mask;
        keys[slot] = key;
        values[slot] = value;
    }

    private void grow() {
        @Nullable String[] oldKeys = keys;
        @Nullable Object[] oldValues = values;
        keys = new String[oldKeys.length * 2];
        values = new Object[oldKeys.length * 2];
        for (int i = 0; i < oldKeys.length; i++) {
            String key = oldKeys[i];
            Object value = oldValues[i];
            if (key != null && value != null) put(key, value);
        }
    }

    @SuppressWarnings("unchecked") // only values of type V are put
    private @Nullable V value(int slot) {
        return (V) values[slot];
    }

    private static int spread(int hash) {
        return hash ^ (hash >>> 16);
    }
}
