package gateway.policies.cache;

import gateway.http.Query;
import gateway.json.ConfigNode;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The parameters that tell answers apart, in the order sent: those of some names, or all but some. Others do not reach
/// the upstream: what it sees and the key does not hold is what poisons a cache.
///
/// @param names of those that count; empty: all but the excepted ones
/// @param excepted names
/// @param beginnings of names that are excepted too
record CountedParameters(Set<String> names, Set<String> excepted, Set<String> beginnings) {
    static final CountedParameters ALL = new CountedParameters(Set.of(), Set.of(), Set.of());

    private static final int MOST = 32;
    private static final Pattern EXCEPTED = Pattern.compile("[^*]*\\*?");

    CountedParameters {
        names = sorted(names);
        excepted = sorted(excepted);
        beginnings = sorted(beginnings);
    }

    /// The same order in each process: nodes find each other's answers by its text.
    private static SortedSet<String> sorted(Set<String> names) {
        return Collections.unmodifiableSortedSet(new TreeSet<>(names));
    }

    static CountedParameters read(ConfigNode node) {
        if (node.json().filter(JsonNode::isObject).isEmpty())
            return new CountedParameters(Set.copyOf(list(node, ConfigNode::requiredText)), Set.of(), Set.of());
        node.expectObject();
        List<String> excepted = list(
                node.field(
                        "except",
                        "names of those that do not count, in their place; `*` at the end: all that begin so"),
                CountedParameters::excepted);
        node.refuseUnknownFields();
        return new CountedParameters(
                Set.of(),
                excepted.stream().filter(each -> !each.endsWith("*")).collect(Collectors.toSet()),
                excepted.stream()
                        .filter(each -> each.endsWith("*"))
                        .map(each -> each.substring(0, each.length() - 1))
                        .collect(Collectors.toSet()));
    }

    private static List<String> list(ConfigNode node, Function<ConfigNode, String> name) {
        List<String> names = node.list(name);
        node.extent(1, MOST);
        if (node.isPresent() && (names.isEmpty() || names.size() > MOST))
            node.problem("expected 1 to 32 names, got " + names.size());
        return names;
    }

    private static String excepted(ConfigNode node) {
        String name = node.like(EXCEPTED).requiredText();
        if (!EXCEPTED.matcher(name).matches()) node.problem("expected * at the end alone, got \"" + name + '"');
        return name;
    }

    boolean areAll() {
        return equals(ALL);
    }

    /// Those of `query` that count.
    String of(String query) {
        return areAll() ? query : Query.keeping(query, this::counts);
    }

    boolean counts(String name) {
        if (!names.isEmpty()) return names.contains(name);
        if (excepted.contains(name)) return false;
        for (String each : beginnings) if (name.startsWith(each)) return false;
        return true;
    }
}
