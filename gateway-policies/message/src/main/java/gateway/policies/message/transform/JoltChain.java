package gateway.policies.message.transform;

import com.bazaarvoice.jolt.CardinalityTransform;
import com.bazaarvoice.jolt.Defaultr;
import com.bazaarvoice.jolt.Removr;
import com.bazaarvoice.jolt.Sortr;
import com.bazaarvoice.jolt.Transform;
import gateway.http.UpstreamException;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.BoundReachedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The steps of a JOLT chain, made ready. What comes of each is copied, since JOLT puts one value in many places.
final class JoltChain {
    private final List<Step> steps;

    private JoltChain(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /// @throws InvalidConfigException under `pointer` when JOLT does not take the chain
    static JoltChain of(JoltSpec spec, String pointer) {
        var steps = new ArrayList<Step>();
        var free = new TreeRoom(Long.MAX_VALUE, _ -> {}); // a definition is no body
        for (JsonNode each : spec.chain().values()) {
            String at = pointer + '/' + steps.size();
            try {
                Object rules = PlainValues.of(each.path("spec"), free);
                steps.add(step(each.path("operation").stringValue(""), rules, each.path("spec")));
            } catch (RuntimeException e) { // of many kinds, whatever JOLT trips over
                throw new InvalidConfigException(at, "expected a step that JOLT takes: " + e.getMessage());
            }
        }
        return new JoltChain(steps);
    }

    private static Step step(String operation, @Nullable Object rules, JsonNode spec) {
        return switch (operation) {
            case "shift" -> new Step.Shift(new MeteredShift(rules, IndexNames.in(Json.compact(spec))));
            case "default" -> new Step.Other(new Defaultr(rules));
            case "remove" -> new Step.Other(new Removr(rules));
            case "cardinality" -> new Step.Other(new CardinalityTransform(rules));
            default -> new Step.Other(new Sortr());
        };
    }

    /// @throws OperationFailedException when JOLT cannot do it to this JSON
    /// @throws BoundReachedException when more would come of it than there is room for
    /// @throws UpstreamException when there is no memory for it
    JsonNode of(JsonNode root, TreeRoom room) {
        JsonNode tree = root;
        int number = 0;
        for (Step step : steps) {
            number++;
            room.anew();
            try {
                Object made = switch (step) {
                    case Step.Shift(var shift) -> shift.of(tree, room);
                    case Step.Other(var transform) -> transform.transform(PlainValues.of(tree, room));
                };
                room.rewritten();
                tree = PlainValues.tree(made, room);
            } catch (BoundReachedException | UpstreamException e) {
                throw e; // nothing that the JSON has to do with
            } catch (RuntimeException e) { // of many kinds, where the JSON is not as the chain expects it
                throw new OperationFailedException(
                        "", "expected JSON that step " + number + " of the JOLT chain can work on");
            }
        }
        return tree;
    }

    private sealed interface Step {
        record Shift(MeteredShift shift) implements Step {}

        record Other(Transform transform) implements Step {}
    }
}
