package gateway.policies.message.transform;

import gateway.http.Exchange;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// Makes a change to each object or array at some places of the JSON, as if it were all there is.
///
/// @param steps that the change is made of
/// @param strict whether it is an error that there is no such place
record ChangeOfEach(TreePlace places, TreeOperation.Change change, int steps, boolean strict)
        implements TreeOperation.Change {
    @Override
    public JsonNode of(JsonNode root, Exchange exchange, TreeRoom room) {
        List<TreePlace.Slot> found = places.found(root);
        if (strict && found.isEmpty()) throw new OperationFailedException(places.pointer(), "expected to be there");
        room.steps((long) found.size() * steps);
        for (TreePlace.Slot slot : found) {
            JsonNode value = slot.value().orElseThrow();
            if (value.isContainer()) slot.set(changed(value, exchange, room, () -> places.pointer(root, slot)));
        }
        return root;
    }

    private JsonNode changed(JsonNode value, Exchange exchange, TreeRoom room, Supplier<String> pointer) {
        room.at(places.depth());
        try {
            return change.of(value, exchange, room);
        } catch (OperationFailedException e) {
            throw new OperationFailedException(pointer.get() + e.pointer(), String.valueOf(e.getMessage()));
        }
    }
}
