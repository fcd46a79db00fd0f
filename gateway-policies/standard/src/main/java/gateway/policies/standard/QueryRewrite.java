package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.Outgoing;
import gateway.json.ConfigNode;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What becomes of the query: first `keepOnly` and `remove`, then `set`, then `add`. A value that comes out empty is
/// not written, but `set` removes what was there all the same.
///
/// @param keepOnly empty: all parameters stay
record QueryRewrite(List<Parameter> set, List<Parameter> add, Set<String> remove, Optional<Set<String>> keepOnly) {
    private static final int MOST = 100;

    QueryRewrite {
        set = List.copyOf(set);
        add = List.copyOf(add);
        remove = Set.copyOf(remove);
        keepOnly = keepOnly.map(Set::copyOf);
    }

    record Parameter(String name, Template value) {}

    /// What is to be written, made before anything of the request is changed.
    record Values(List<String> set, List<String> add) {}

    static QueryRewrite read(ConfigNode node) {
        node.expectObject();
        ConfigNode kept = node.field("keepOnly", "all others are taken out").unlessGiven("all stay");
        var rewrite = new QueryRewrite(
                parameters(node.field("set", "replaces all of that name; values may hold placeholders")
                        .form("name and value")),
                parameters(node.field("add", "one more, behind the others").form("name and value")),
                names(node.field("remove", "taken out, all of that name")),
                kept.isPresent() ? Optional.of(names(kept)) : Optional.empty());
        node.refuseUnknownFields();
        return rewrite;
    }

    private static List<Parameter> parameters(ConfigNode node) {
        List<Parameter> read = node.map(value -> Template.read(value, TemplatePlace.VALUE)).entrySet().stream()
                .map(member -> new Parameter(member.getKey(), member.getValue()))
                .toList();
        node.extent(0, MOST);
        if (read.size() > MOST) node.problem("expected at most " + MOST + " parameters, got " + read.size());
        return read;
    }

    private static Set<String> names(ConfigNode node) {
        List<String> read = node.list(ConfigNode::requiredText);
        node.extent(0, MOST);
        if (read.size() > MOST) node.problem("expected at most " + MOST + " names, got " + read.size());
        return new HashSet<>(read);
    }

    Values rendered(Exchange exchange) {
        return new Values(rendered(set, exchange), rendered(add, exchange));
    }

    private static List<String> rendered(List<Parameter> parameters, Exchange exchange) {
        if (parameters.isEmpty()) return List.of();
        var values = new ArrayList<String>(parameters.size());
        for (int i = 0; i < parameters.size(); i++)
            values.add(parameters.get(i).value().render(exchange));
        return values;
    }

    void apply(Values values, Outgoing outgoing) {
        keepOnly.ifPresent(names -> outgoing.keepQueryParameters(names::contains));
        for (String name : remove) outgoing.removeQueryParameter(name);
        for (Parameter each : set) outgoing.removeQueryParameter(each.name());
        write(set, values.set(), outgoing);
        write(add, values.add(), outgoing);
    }

    private static void write(List<Parameter> parameters, List<String> values, Outgoing outgoing) {
        for (int i = 0; i < parameters.size(); i++) {
            String value = values.get(i);
            if (!value.isEmpty()) outgoing.addQueryParameter(parameters.get(i).name(), value);
        }
    }
}
