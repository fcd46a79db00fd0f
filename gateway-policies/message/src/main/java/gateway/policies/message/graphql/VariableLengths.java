package gateway.policies.message.graphql;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The lengths of lists that the variables of one request say. Each is looked for once, however often it is used.
final class VariableLengths {
    private final JsonNode variables;
    private final CostRule rule;
    private final Map<ListLength.Variable, Long> known = new HashMap<>();

    /// @param variables an object, or nothing
    VariableLengths(JsonNode variables, CostRule rule) {
        this.variables = variables;
        this.rule = rule;
    }

    long of(ListLength.Variable variable) {
        return known.computeIfAbsent(variable, this::found);
    }

    private long found(ListLength.Variable variable) {
        JsonNode value = variables.path(variable.name());
        if (value.isMissingNode()) return variable.otherwise();
        return within(new Said(value, variable.direct()));
    }

    private long length(JsonNode value) {
        if (value.isString()) return rule.length(value.stringValue());
        return rule.length(value.isNumber() ? value.decimalValue() : BigDecimal.ZERO);
    }

    /// @param direct whether a length is wanted, which no object and no array is, though servers may take one element
    /// for it
    private record Said(JsonNode value, boolean direct) {}

    /// The largest that an object or array says at any depth, such as `{"first": 5}`.
    private long within(Said first) {
        var open = new ArrayDeque<Said>();
        open.push(first);
        long most = 1;
        while (!open.isEmpty()) {
            Said said = open.pop();
            if (!said.value().isContainer()) {
                if (said.direct()) most = Math.max(most, length(said.value()));
                continue;
            }
            if (said.direct()) most = Math.max(most, rule.usual());
            for (var each : said.value().properties())
                open.push(new Said(each.getValue(), rule.lists().contains(each.getKey())));
            if (said.value().isArray())
                for (JsonNode each : said.value().values()) open.push(new Said(each, said.direct()));
        }
        return most;
    }
}
