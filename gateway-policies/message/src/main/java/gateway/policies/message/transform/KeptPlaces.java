package gateway.policies.message.transform;

import gateway.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Places of a tree of which all else is taken out. What holds one of them stays, without what lies beside it; elements
/// close up.
///
/// @param below by the next segment; none: all of it stays
record KeptPlaces(Map<String, KeptPlaces> below) {
    /// Where one place holds another, all of the larger stays.
    static KeptPlaces of(List<TreePlace> places) {
        var root = new KeptPlaces(new HashMap<>());
        for (TreePlace each : places) root.add(each.segments());
        for (TreePlace each : places) root.endAt(each.segments());
        return root;
    }

    private void add(List<String> way) {
        if (way.isEmpty()) return;
        below.computeIfAbsent(way.getFirst(), _ -> new KeptPlaces(new HashMap<>()))
                .add(way.subList(1, way.size()));
    }

    private void endAt(List<String> way) {
        if (way.isEmpty()) {
            below.clear();
            return;
        }
        KeptPlaces next = below.get(way.getFirst());
        if (next != null) next.endAt(way.subList(1, way.size()));
    }

    /// Made of parts of `root`, which is not to be used any more.
    JsonNode of(JsonNode root) {
        return kept(root, List.of(this));
    }

    private static JsonNode kept(JsonNode node, List<KeptPlaces> places) {
        if (node instanceof ObjectNode object) {
            ObjectNode kept = Json.mapper().createObjectNode();
            for (Map.Entry<String, JsonNode> each : object.properties()) {
                List<KeptPlaces> here = below(places, each.getKey());
                if (stays(here, each.getValue())) kept.set(each.getKey(), part(each.getValue(), here));
            }
            return kept;
        }
        ArrayNode kept = Json.mapper().createArrayNode();
        for (int i = 0; i < node.size(); i++) {
            List<KeptPlaces> here = below(places, Integer.toString(i));
            if (stays(here, node.get(i))) kept.add(part(node.get(i), here));
        }
        return kept;
    }

    private static JsonNode part(JsonNode value, List<KeptPlaces> places) {
        return isWhole(places) ? value : kept(value, places);
    }

    private static boolean stays(List<KeptPlaces> places, JsonNode value) {
        return !places.isEmpty() && (value.isContainer() || isWhole(places));
    }

    private static boolean isWhole(List<KeptPlaces> places) {
        for (KeptPlaces each : places) if (each.below.isEmpty()) return true;
        return false;
    }

    private static List<KeptPlaces> below(List<KeptPlaces> places, String segment) {
        var found = new ArrayList<KeptPlaces>(2);
        for (KeptPlaces each : places) {
            KeptPlaces named = each.below.get(segment);
            if (named != null) found.add(named);
            KeptPlaces every = each.below.get(TreePlace.EVERY);
            if (every != null && !segment.equals(TreePlace.EVERY)) found.add(every);
        }
        return found;
    }
}
