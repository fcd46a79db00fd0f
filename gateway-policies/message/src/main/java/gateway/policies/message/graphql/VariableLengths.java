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
        return variable.direct() && !value.isContainer() ? length(value) : within(value, variable.direct());
    }

    private long length(JsonNode value) {
        if (value.isString()) return rule.length(value.stringValue());
        return rule.length(value.isNumber() ? value.decimalValue() : BigDecimal.ZERO);
    }

    /// The largest that an object says at any depth, such as `{"first": 5}`.
    ///
    /// @param direct whether a length is wanted, which no object is
    private long within(JsonNode value, boolean direct) {
        var open = new ArrayDeque<JsonNode>();
        open.push(value);
        long most = direct ? rule.usual() : 1;
        while (!open.isEmpty()) {
            JsonNode node = open.pop();
            for (var each : node.properties())
                if (rule.lists().contains(each.getKey()) && each.getValue().isValueNode())
                    most = Math.max(most, length(each.getValue()));
            for (JsonNode each : node.values()) if (each.isContainer()) open.push(each);
        }
        return most;
    }
}
