package gateway.policies.message.transform;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What JOLT's `shift` writes into: maps and lists that are counted as they grow. JOLT makes its own where it comes to
/// a place for the first time, and fills them before anybody sees them; they are counted when it writes the next time.
final class MeteredOutput {
    private final TreeRoom room;
    private final Map<String, @Nullable Object> root = new HashMap<>();
    private @Nullable Object uncounted;

    MeteredOutput(TreeRoom room) {
        this.room = room;
    }

    Map<String, @Nullable Object> root() {
        return new Members(root);
    }

    @Nullable
    Object of(String name) {
        count();
        return root.get(name);
    }

    /// What one write has made: a container, in it the next, and so on to the value.
    private void count() {
        Object at = uncounted;
        uncounted = null;
        while (at != null) {
            switch (at) {
                case List<?> list -> {
                    room.holder();
                    room.gaps(list.size());
                    at = list.isEmpty() ? null : list.getLast();
                }
                case Map<?, ?> map
                when map.size() == 1 -> {
                    room.holder();
                    at = map.values().iterator().next();
                }
                default -> at = null;
            }
        }
    }

    @SuppressWarnings("unchecked") // JSON, as JOLT makes it
    private @Nullable Object seen(@Nullable Object value) {
        return switch (value) {
            case Members members -> members;
            case Elements elements -> elements;
            case Map<?, ?> map -> new Members((Map<String, @Nullable Object>) map);
            case List<?> list -> new Elements((List<@Nullable Object>) list);
            case null -> null;
            default -> value;
        };
    }

    private void placed(@Nullable Object value) {
        count();
        room.gaps(1);
        room.beside();
        uncounted = value;
    }

    private final class Members extends AbstractMap<String, @Nullable Object> {
        private final Map<String, @Nullable Object> members;

        Members(Map<String, @Nullable Object> members) {
            this.members = members;
        }

        @Override
        public @Nullable Object get(@Nullable Object name) {
            return seen(members.get(name));
        }

        @Override
        public boolean containsKey(@Nullable Object name) {
            return members.containsKey(name);
        }

        @Override
        public @Nullable Object put(String name, @Nullable Object value) {
            placed(value);
            return members.put(name, value);
        }

        @Override
        public Set<Map.Entry<String, @Nullable Object>> entrySet() {
            return members.entrySet();
        }
    }

    private final class Elements extends AbstractList<@Nullable Object> {
        private final List<@Nullable Object> elements;

        Elements(List<@Nullable Object> elements) {
            this.elements = elements;
        }

        @Override
        public @Nullable Object get(int index) {
            return seen(elements.get(index));
        }

        @Override
        public int size() {
            return elements.size();
        }

        @Override
        public void add(int index, @Nullable Object value) {
            placed(value);
            elements.add(index, value);
        }

        @Override
        public @Nullable Object set(int index, @Nullable Object value) {
            placed(value);
            return elements.set(index, value);
        }
    }
}
