package gateway.policies.message.transform;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policy.FilledJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Reads one entry of `operations`: its first word says what it does.
final class TreeOperationReader {
    private static final int MOST_PLACES = 100;
    private static final int MOST_TAGS = 100;

    private final ConfigNode node;
    private final List<TreeOperation> found = new ArrayList<>();
    private final List<String> words = new ArrayList<>(); // one for each that was found

    private static final List<String> OPERATIONS = List.of(
            "set",
            "default",
            "add",
            "remove",
            "rename",
            "copy",
            "mask",
            "keepOnly",
            "redact",
            "patch",
            "merge",
            "jolt");

    private TreeOperationReader(ConfigNode node) {
        this.node = node;
    }

    static TreeOperation read(ConfigNode node) {
        node.requireObject();
        var reader = new TreeOperationReader(node);
        reader.valued();
        reader.moved();
        reader.hidden();
        reader.patched();
        node.one(OPERATIONS.toArray(String[]::new)).beside("mask", "keep").beside("redact", "unless");
        node.refuseUnknownFields();
        if (reader.found.size() != 1)
            node.problem("expected exactly one of " + String.join(", ", OPERATIONS) + ", got "
                    + (reader.words.isEmpty() ? "none" : String.join(" and ", reader.words)));
        return reader.found.isEmpty() ? new TreeEdit.Redact(List.of(), Set.of()) : reader.found.getFirst();
    }

    private void valued() {
        ConfigNode value = node.field(
                        "value", "with `set`, `default` and `add`: JSON whose texts may hold placeholders")
                .form("JSON");
        FilledJson filled = value.isPresent()
                ? FilledJson.read(value)
                : new FilledJson.Constant(Json.mapper().nullNode());
        int before = found.size();
        word(
                "set",
                "puts `value` there, with objects on the way",
                place -> new TreeEdit.Put(TreePlace.read(place), filled));
        word(
                "default",
                "the same where there is nothing, or null",
                place -> new TreeEdit.Default(TreePlace.read(place), filled));
        word(
                "add",
                "`value` is one more element of the array there",
                place -> new TreeEdit.Append(TreePlace.read(place), filled));
        beside(value, found.size() > before);
    }

    private void moved() {
        word("remove", "takes it out", place -> new TreeEdit.Remove(TreePlace.read(place)));
        ConfigNode to = node.field("to", "with `rename` and `copy`");
        TreePlace target = to.isPresent() ? one(to) : TreePlace.of("/");
        int before = found.size();
        word("rename", "moves it `to` another place", from -> new TreeEdit.Copy(one(from), target, false));
        word("copy", "puts it `to` another place too", from -> new TreeEdit.Copy(one(from), target, true));
        beside(to, found.size() > before);
    }

    /// @param wanted whether the operation wants the field; null is a value then
    private void beside(ConfigNode field, boolean wanted) {
        String name = field.pointer().substring(field.pointer().lastIndexOf('/') + 1);
        if (wanted && !node.names().contains(name)) node.problem("expected \"" + name + "\" beside it");
        if (!wanted && field.isPresent()) field.problem("expected nothing, since this operation has none");
    }

    private void hidden() {
        ConfigNode keep = node.field("keep", "with `mask`: characters at the end that stay");
        int kept = (int) keep.integer(0, 100, 0);
        int before = found.size();
        word(
                "mask",
                "`***` in its place, and as many characters of its end as `keep` says",
                place -> new TreeEdit.Mask(TreePlace.read(place), kept));
        if (found.size() == before) beside(keep, false);
        word("keepOnly", "takes all else out", places -> new TreeEdit.KeepOnly(KeptPlaces.of(places(places))));
        ConfigNode unless = node.field("unless", "with `redact`: tags of callers who see all");
        List<String> tags = unless.list(ConfigNode::requiredText);
        unless.extent(0, MOST_TAGS);
        if (tags.size() > MOST_TAGS) unless.problem("expected at most " + MOST_TAGS + " tags, got " + tags.size());
        int masked = found.size();
        word(
                "redact",
                "takes them out for callers who have none of the tags in `unless`",
                places -> new TreeEdit.Redact(places(places), new HashSet<>(tags)));
        if (found.size() == masked) beside(unless, false);
    }

    private void patched() {
        word(
                "patch",
                "a JSON Patch (RFC 6902), all of it or nothing",
                patch -> new TreeEdit.Patch(JsonPatch.read(patch)));
        word(
                "merge",
                "a JSON Merge Patch (RFC 7396)",
                patch -> new TreeEdit.Merge(
                        patch.form("JSON").json().orElseGet(() -> Json.mapper().createObjectNode())));
        word(
                "jolt",
                "a JOLT chain of `shift`, `default`, `remove`, `sort` and `cardinality`",
                chain -> new TreeOperation.Jolt(JoltSpec.read(chain)));
    }

    private void word(String name, String meaning, Function<ConfigNode, TreeOperation> reader) {
        ConfigNode field = node.field(name, meaning);
        if (!field.isPresent()) return;
        found.add(reader.apply(field));
        words.add(name);
    }

    private static TreePlace one(ConfigNode node) {
        TreePlace place = TreePlace.read(node);
        if (!place.isOne()) node.expected("one place, without `*`");
        return place;
    }

    private static List<TreePlace> places(ConfigNode node) {
        List<TreePlace> places = node.list(TreePlace::read);
        node.extent(1, MOST_PLACES);
        if (places.isEmpty() || places.size() > MOST_PLACES)
            node.problem("expected 1 to " + MOST_PLACES + " places, got " + places.size());
        return places;
    }
}
