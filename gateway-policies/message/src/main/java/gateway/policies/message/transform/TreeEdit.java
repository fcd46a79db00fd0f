package gateway.policies.message.transform;

import gateway.http.Exchange;
import gateway.json.Json;
import gateway.policies.message.BoundReachedException;
import gateway.policy.FilledJson;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// One change of places in JSON.
sealed interface TreeEdit extends TreeOperation {
    /// Puts a value there, with objects on the way.
    record Put(TreePlace place, FilledJson value) implements TreeEdit {}

    /// The same where there is none, or null.
    record Default(TreePlace place, FilledJson value) implements TreeEdit {}

    /// One more element of an array, which is made if need be.
    record Append(TreePlace place, FilledJson value) implements TreeEdit {}

    record Remove(TreePlace place) implements TreeEdit {}

    /// @param keep whether the old place stays
    record Copy(TreePlace place, TreePlace to, boolean keep) implements TreeEdit {}

    /// @param keep characters at its end that stay
    record Mask(TreePlace place, int keep) implements TreeEdit {}

    /// Takes all else out.
    record KeepOnly(KeptPlaces places) implements TreeEdit {}

    /// Takes places out for callers without one of some tags.
    record Redact(List<TreePlace> places, Set<String> unless) implements TreeEdit {}

    record Patch(JsonPatch patch) implements TreeEdit {}

    record Merge(JsonNode patch) implements TreeEdit {}

    /// @param root not shared with anybody
    /// @param strict whether a place that is not there is an error
    /// @throws OperationFailedException when it cannot be done
    /// @throws BoundReachedException when more would come of it than there is room for
    default JsonNode apply(JsonNode root, Exchange exchange, boolean strict, TreeRoom room) {
        switch (this) {
            case Put(var place, var value) -> {
                JsonNode filled = value.of(exchange);
                for (TreePlace.Slot slot : place.slots(root, room)) slot.set(room.copy(filled, place.depth()));
            }
            case Default(var place, var value) -> {
                JsonNode filled = value.of(exchange);
                for (TreePlace.Slot slot : place.slots(root, room))
                    if (slot.value().filter(each -> !each.isNull()).isEmpty())
                        slot.set(room.copy(filled, place.depth()));
            }
            case Append(var place, var value) -> {
                JsonNode filled = value.of(exchange);
                for (TreePlace.Slot slot : place.slots(root, room))
                    append(slot, room.copy(filled, place.depth() + 1), room);
            }
            case Remove(var place) -> found(place, root, strict).reversed().forEach(TreePlace.Slot::remove);
            case Copy(var place, var to, var keep) -> {
                for (TreePlace.Slot slot : found(place, root, strict)) {
                    JsonNode value = room.copy(slot.value().orElseThrow(), to.depth());
                    if (!keep) slot.remove();
                    for (TreePlace.Slot target : to.slots(root, room)) target.set(value);
                }
            }
            case Mask(var place, var keep) -> {
                for (TreePlace.Slot slot : found(place, root, strict)) mask(slot, keep, room);
            }
            case Redact(var places, var unless) -> {
                boolean sees = exchange.consumer()
                        .filter(caller -> caller.tags().stream().anyMatch(unless::contains))
                        .isPresent();
                if (!sees)
                    for (TreePlace place : places) place.found(root).reversed().forEach(TreePlace.Slot::remove);
            }
            case KeepOnly(var places) -> {
                return places.of(root);
            }
            case Patch(var patch) -> {
                return patch.apply(root, room);
            }
            case Merge(var patch) -> {
                return MergePatch.apply(patch, root, room);
            }
        }
        return root;
    }

    private static List<TreePlace.Slot> found(TreePlace place, JsonNode root, boolean strict) {
        List<TreePlace.Slot> found = place.found(root);
        if (strict && found.isEmpty()) throw new OperationFailedException(place.pointer(), "expected to be there");
        return found;
    }

    private static void append(TreePlace.Slot slot, JsonNode value, TreeRoom room) {
        Optional<JsonNode> there = slot.value();
        if (there.isPresent() && there.get() instanceof ArrayNode array) array.add(value);
        else if (there.isEmpty())
            slot.set(room.made(Json.mapper().createArrayNode()).add(value));
    }

    private static void mask(TreePlace.Slot slot, int keep, TreeRoom room) {
        JsonNode value = slot.value().orElseThrow();
        String text = value.isString() || value.isNumber() ? value.asString() : "";
        int characters = text.codePointCount(0, text.length());
        // Of what is short, what is seen would be half of it, or the whole.
        String shown = characters <= 2 * keep ? "" : text.substring(text.offsetByCodePoints(text.length(), -keep));
        slot.set(room.text("***" + shown));
    }
}
