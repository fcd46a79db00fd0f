package gateway.policies.message.transform;

import gateway.http.BodyMemory;
import gateway.json.Json;
import gateway.policies.message.BoundReachedException;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the operations on one tree may add to it: so many bytes as they will be written, and as much of the memory for
/// bodies as they take meanwhile. All that is put into the tree is copied here, so that no part of it is shared.
final class TreeRoom {
    static final long MOST_STEPS = 1_000_000;

    private static final int DEEPEST = 64; // as what is read
    private static final long NODE = 72; // bytes of memory for a node and its place in its holder
    private static final long HOLDER = 200; // bytes of memory for a map with one member, or for a list
    private static final long GAP = 8; // bytes of memory for a place in an array
    private static final long PIECE = 4 << 10; // bytes of memory that are taken at a time
    private static final long SHORTEST = 2; // bytes of a value, as written: a digit and a comma

    private final long most;
    private final long mostSteps;
    private final BodyMemory memory;
    private long added;
    private long used;
    private long taken;
    private long steps;
    private int above; // levels
    private long addedBefore;
    private long usedBefore;

    /// @param most bytes that may be added
    /// @param mostSteps of changes of each of several places
    TreeRoom(long most, long mostSteps, BodyMemory memory) {
        this.most = most;
        this.mostSteps = mostSteps;
        this.memory = memory;
    }

    TreeRoom(long most, BodyMemory memory) {
        this(most, MOST_STEPS, memory);
    }

    /// A tree of one's own, made of one that others read. It is nothing added.
    JsonNode own(JsonNode shared) {
        return copied(shared, 0, false);
    }

    /// What is to be put into the tree.
    ///
    /// @param depth of the place where it goes
    /// @throws BoundReachedException when it is too much, or would lie too deep
    JsonNode copy(JsonNode value, int depth) {
        return copied(value, depth, true);
    }

    /// From now on the tree is one that lies so deep in the whole; what was added to others stays.
    void at(int depth) {
        above = depth;
        addedBefore = added;
        usedBefore = used;
    }

    /// All that was added is gone again: another tree is made in its place.
    void anew() {
        added = addedBefore;
        used = usedBefore;
    }

    /// The same is written once more: it counts as added once, and both are there meanwhile.
    void rewritten() {
        added = addedBefore;
    }

    /// A value that stands beside the tree, for whoever works on such.
    void beside() {
        use(NODE);
    }

    /// The map or list that it is.
    void holder() {
        use(HOLDER);
    }

    /// @throws BoundReachedException when these are too many
    void steps(long more) {
        steps += more;
        if (steps > mostSteps) throw new BoundReachedException(mostSteps + " operations");
    }

    /// @throws BoundReachedException when nothing may lie so deep
    void level(int depth) {
        if (above + depth > DEEPEST) throw new BoundReachedException(DEEPEST + " levels");
    }

    /// Elements without a value that an array is filled up with.
    ///
    /// @throws BoundReachedException when they are too many
    void gaps(long elements) {
        add(elements * SHORTEST);
        use(elements * GAP);
    }

    /// A name of a member.
    ///
    /// @throws BoundReachedException when it is too much
    void name(String name) {
        add(name.length() + SHORTEST);
    }

    /// A text that is made.
    ///
    /// @throws BoundReachedException when it is too much
    JsonNode text(String text) {
        add(SHORTEST + text.length());
        use(NODE + 2L * text.length());
        return Json.mapper().getNodeFactory().stringNode(text);
    }

    /// An object or array that is made.
    ///
    /// @throws BoundReachedException when it is too much
    <T extends JsonNode> T made(T holder) {
        add(SHORTEST);
        use(NODE);
        return holder;
    }

    /// That a part of the tree itself goes elsewhere.
    ///
    /// @throws BoundReachedException when it would lie too deep
    void moved(JsonNode value, int depth) {
        level(depth);
        for (JsonNode each : value.values()) moved(each, depth + 1);
    }

    private JsonNode copied(JsonNode node, int depth, boolean adds) {
        level(depth);
        use(NODE);
        if (adds) add(SHORTEST + (node.isString() ? node.stringValue().length() : 0));
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = Json.mapper().createObjectNode();
                for (Map.Entry<String, JsonNode> each : object.properties()) {
                    if (adds) name(each.getKey());
                    copy.set(each.getKey(), copied(each.getValue(), depth + 1, adds));
                }
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = Json.mapper().createArrayNode();
                for (JsonNode each : array.values()) copy.add(copied(each, depth + 1, adds));
                yield copy;
            }
            default -> node; // values do not change
        };
    }

    private void add(long bytes) {
        added += bytes;
        if (added > most) throw new BoundReachedException("at most " + most + " bytes to be added");
    }

    private void use(long bytes) {
        used += bytes;
        if (used <= taken) return;
        long more = Math.max(PIECE, used - taken);
        memory.hold(more);
        taken += more;
    }
}
