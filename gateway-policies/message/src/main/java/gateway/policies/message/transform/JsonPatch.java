package gateway.policies.message.transform;

import gateway.json.ConfigNode;
import gateway.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A JSON Patch (RFC 6902): all of it is done, or nothing.
record JsonPatch(List<Step> steps) {
    private static final int MOST = 1_000;
    private static final Set<String> SOURCED = Set.of("move", "copy");
    private static final Set<String> VALUED = Set.of("add", "replace", "test");

    JsonPatch {
        steps = List.copyOf(steps);
    }

    /// @param value missing where the operation has none
    record Step(String op, TreePlace path, TreePlace from, JsonNode value) {}

    static JsonPatch read(ConfigNode node) {
        JsonNode json = node.form("JSON Patch (RFC 6902)")
                .json()
                .orElseGet(() -> Json.mapper().createArrayNode());
        node.obeys("{\"type\": \"array\", \"maxItems\": " + MOST + "}");
        if (!json.isArray() || json.size() > MOST) {
            node.problem("expected an array of at most " + MOST + " operations of a JSON Patch");
            return new JsonPatch(List.of());
        }
        return of(json, node);
    }

    static JsonPatch of(JsonNode json, ConfigNode node) {
        var steps = new ArrayList<Step>();
        for (JsonNode each : json.values()) {
            ConfigNode at = node.field(Integer.toString(steps.size()));
            String op = each.path("op").stringValue("");
            Optional<String> path = pointer(each, "path");
            Optional<String> from = pointer(each, "from");
            boolean sound = op.equals("remove")
                    || (SOURCED.contains(op) && from.isPresent())
                    || (VALUED.contains(op) && each.has("value"));
            if (!sound || path.isEmpty())
                at.problem("expected an operation of a JSON Patch (RFC 6902), got " + op + " without what it needs");
            steps.add(new Step(op, TreePlace.of(path.orElse("")), TreePlace.of(from.orElse("")), each.path("value")));
        }
        return new JsonPatch(steps);
    }

    private static Optional<String> pointer(JsonNode step, String name) {
        return step.path(name).stringValueOpt().filter(TreePlace::isPointer);
    }

    /// @param document not shared with anybody
    /// @throws OperationFailedException when a place is not there, or a test does not hold
    JsonNode apply(JsonNode document, TreeRoom room) {
        JsonNode root = document;
        for (Step step : steps) root = apply(step, root, room);
        return root;
    }

    private static JsonNode apply(Step step, JsonNode root, TreeRoom room) {
        TreePlace path = step.path();
        return switch (step.op()) {
            case "add" -> added(path, room.copy(step.value(), path.depth()), root);
            case "remove" -> removed(path, root);
            case "replace" -> replaced(path, room.copy(step.value(), path.depth()), root);
            case "move" -> {
                JsonNode moved = value(step.from(), root);
                boolean inward = path.pointer().startsWith(step.from().pointer() + "/");
                if (inward) throw failed(path, "expected a place that does not lie in what is moved");
                room.moved(moved, path.depth());
                yield added(path, moved, removed(step.from(), root));
            }
            case "copy" -> added(path, room.copy(value(step.from(), root), path.depth()), root);
            default -> { // test: others are refused when the patch is read
                if (!same(value(path, root), step.value())) throw failed(path, "expected another value");
                yield root;
            }
        };
    }

    private static JsonNode added(TreePlace place, JsonNode value, JsonNode root) {
        if (place.segments().isEmpty()) return value;
        String key = place.segments().getLast();
        switch (holder(place, root)) {
            case ObjectNode object -> object.set(key, value);
            case ArrayNode array -> {
                if (key.equals("-")) array.add(value);
                else
                    array.insert(
                            TreePlace.index(key, array.size() + 1)
                                    .orElseThrow(() -> failed(place, "expected an index within the array")),
                            value);
            }
            default -> throw failed(place, "expected an object or array to add to");
        }
        return root;
    }

    private static JsonNode replaced(TreePlace place, JsonNode value, JsonNode root) {
        value(place, root);
        if (place.segments().isEmpty()) return value;
        new TreePlace.Slot(holder(place, root), place.segments().getLast()).set(value);
        return root;
    }

    private static JsonNode removed(TreePlace place, JsonNode root) {
        value(place, root);
        if (place.segments().isEmpty()) return Json.mapper().nullNode();
        new TreePlace.Slot(holder(place, root), place.segments().getLast()).remove();
        return root;
    }

    private static JsonNode holder(TreePlace place, JsonNode root) {
        List<String> way = place.segments().subList(0, place.segments().size() - 1);
        return value(new TreePlace(place.pointer(), way), root);
    }

    private static JsonNode value(TreePlace place, JsonNode root) {
        JsonNode at = root;
        for (String each : place.segments())
            at = new TreePlace.Slot(at, each).value().orElseThrow(() -> failed(place, "expected to be there"));
        return at;
    }

    /// 1 and 1.0 are the same (§4.6).
    private static boolean same(JsonNode one, JsonNode other) {
        return one.equals(
                (a, b) -> a.isNumber() && b.isNumber()
                        ? a.decimalValue().compareTo(b.decimalValue())
                        : a.equals(b) ? 0 : 1,
                other);
    }

    private static OperationFailedException failed(TreePlace place, String message) {
        return new OperationFailedException(place.pointer(), message);
    }
}
