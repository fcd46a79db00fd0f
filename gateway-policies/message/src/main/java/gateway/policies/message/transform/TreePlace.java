package gateway.policies.message.transform;

import gateway.json.ConfigNode;
import gateway.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Places in JSON, by a pointer (RFC 6901) whose segments may be `*` for every element or member.
///
/// @param segments unescaped; none: the whole document
record TreePlace(String pointer, List<String> segments) {
    static final String EVERY = "*";

    private static final int LONGEST = 1_000;
    private static final int DEEPEST = 64;
    private static final int MOST_DIGITS = 9;
    private static final Pattern FORM =
            Pattern.compile("(/([^~/]|~[01])*){1,DEEPEST}".replace("DEEPEST", "" + DEEPEST));
    private static final Pattern ESCAPES = Pattern.compile("[^~]*+(~[01][^~]*+)*+");

    TreePlace {
        segments = List.copyOf(segments);
    }

    /// One member or element, there or not.
    ///
    /// @param holder an object or array
    record Slot(JsonNode holder, String key) {
        Optional<JsonNode> value() {
            return switch (holder) {
                case ObjectNode object -> Optional.ofNullable(object.get(key));
                case ArrayNode array -> index(key, array.size()).map(array::get);
                default -> Optional.empty();
            };
        }

        void set(JsonNode value) {
            switch (holder) {
                case ObjectNode object -> object.set(key, value);
                case ArrayNode array -> {
                    if (key.equals("-")) array.add(value);
                    else index(key, array.size()).ifPresent(at -> array.set(at, value));
                }
                default -> {}
            }
        }

        void remove() {
            switch (holder) {
                case ObjectNode object -> object.remove(key);
                case ArrayNode array -> index(key, array.size()).ifPresent(array::remove);
                default -> {}
            }
        }
    }

    static TreePlace read(ConfigNode node) {
        String text = node.form("JSON Pointer, `*` for every element or member")
                .like(FORM)
                .extent(1, LONGEST)
                .requiredText();
        boolean sound = text.isEmpty() || isPointer(text);
        if (!sound) node.expected("a JSON Pointer such as \"/order/lines/*/price\"");
        return of(sound && !text.isEmpty() ? text : "/");
    }

    /// Whether it is a JSON Pointer (RFC 6901 §3), the empty one included.
    static boolean isPointer(String text) {
        return (text.isEmpty() || text.startsWith("/"))
                && text.length() <= LONGEST
                && text.chars().filter(c -> c == '/').count() <= DEEPEST
                && ESCAPES.matcher(text).matches();
    }

    /// @param pointer begins with `/`, or is empty
    static TreePlace of(String pointer) {
        if (pointer.isEmpty()) return new TreePlace(pointer, List.of());
        var segments = new ArrayList<String>();
        for (String each : pointer.substring(1).split("/", -1))
            segments.add(each.replace("~1", "/").replace("~0", "~"));
        return new TreePlace(pointer, segments);
    }

    boolean isOne() {
        return !segments.contains(EVERY);
    }

    int depth() {
        return segments.size();
    }

    /// Those that are there, in order.
    List<Slot> found(JsonNode root) {
        List<Slot> all = slots(root, _ -> {});
        all.removeIf(slot -> slot.value().isEmpty());
        return all;
    }

    /// The pointer of one of those that are there, with what stands for each `*`.
    String pointer(JsonNode root, Slot slot) {
        return way(root, slot, 0).orElse(pointer);
    }

    @SuppressWarnings("ReferenceEquality") // the very slot: others may be alike
    private Optional<String> way(JsonNode holder, Slot slot, int depth) {
        for (Slot each : slots(holder, segments.get(depth))) {
            String segment = "/" + each.key().replace("~", "~0").replace("/", "~1");
            if (depth < segments.size() - 1) {
                Optional<String> below = each.value().flatMap(value -> way(value, slot, depth + 1));
                if (below.isPresent()) return Optional.of(segment + below.get());
            } else if (each.holder() == slot.holder() && each.key().equals(slot.key())) {
                return Optional.of(segment);
            }
        }
        return Optional.empty();
    }

    /// Those that could be there, with objects made on the way to them.
    List<Slot> slots(JsonNode root, TreeRoom room) {
        return slots(root, slot -> {
            if (slot.holder().isObject()) slot.set(room.made(Json.mapper().createObjectNode()));
        });
    }

    /// @param missing is told of each on the way that is not there
    private List<Slot> slots(JsonNode root, Consumer<Slot> missing) {
        List<JsonNode> holders = List.of(root);
        for (int i = 0; i < segments.size() - 1; i++) {
            var next = new ArrayList<JsonNode>();
            for (JsonNode holder : holders)
                for (Slot slot : slots(holder, segments.get(i))) {
                    if (slot.value().isEmpty()) missing.accept(slot);
                    slot.value().filter(JsonNode::isContainer).ifPresent(next::add);
                }
            holders = next;
        }
        var all = new ArrayList<Slot>();
        for (JsonNode holder : holders) all.addAll(slots(holder, segments.getLast()));
        return all;
    }

    private static List<Slot> slots(JsonNode holder, String segment) {
        if (!segment.equals(EVERY)) return List.of(new Slot(holder, segment));
        var all = new ArrayList<Slot>();
        if (holder.isObject()) for (String name : holder.propertyNames()) all.add(new Slot(holder, name));
        else for (int i = 0; i < holder.size(); i++) all.add(new Slot(holder, Integer.toString(i)));
        return all;
    }

    /// As RFC 6901 §4 has it: no sign, no zero before another digit.
    ///
    /// @param size of the array: what lies behind its end is no index
    static Optional<Integer> index(String key, int size) {
        int length = key.length();
        if (length == 0 || length > MOST_DIGITS || (length > 1 && key.charAt(0) == '0')) return Optional.empty();
        int index = 0;
        for (int i = 0; i < length; i++) {
            char c = key.charAt(i);
            if (c < '0' || c > '9') return Optional.empty();
            index = 10 * index + c - '0';
        }
        return index < size ? Optional.of(index) : Optional.empty();
    }
}
