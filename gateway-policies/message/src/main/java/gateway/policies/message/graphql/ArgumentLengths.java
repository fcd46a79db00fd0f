package gateway.policies.message.graphql;

import graphql.language.Argument;
import graphql.language.ArrayValue;
import graphql.language.EnumValue;
import graphql.language.FloatValue;
import graphql.language.IntValue;
import graphql.language.NullValue;
import graphql.language.ObjectField;
import graphql.language.ObjectValue;
import graphql.language.OperationDefinition;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.language.VariableDefinition;
import graphql.language.VariableReference;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.node.MissingNode;

/// Finds what arguments of an operation say of the lengths of lists, at any depth of their values.
final class ArgumentLengths {
    private final CostRule rule;
    private final int most;
    private final Map<String, Value<?>> defaults = new HashMap<>();
    private int values;

    /// @param most values that are looked at, those of fragments wherever they are used
    ArgumentLengths(CostRule rule, int most) {
        this.rule = rule;
        this.most = most;
    }

    /// From now on arguments name the variables of `operation`.
    void begin(OperationDefinition operation) {
        defaults.clear();
        for (VariableDefinition each : operation.getVariableDefinitions()) {
            Value<?> value = each.getDefaultValue();
            if (value != null) defaults.put(each.getName(), value);
        }
    }

    private record Said(String name, Value<?> value) {}

    List<ListLength> of(List<Argument> arguments) {
        var found = new ArrayList<ListLength>(0);
        for (Argument each : arguments) find(new Said(each.getName(), each.getValue()), found);
        return found;
    }

    private void find(Said first, List<ListLength> found) {
        var open = new ArrayDeque<Said>();
        open.push(first);
        while (!open.isEmpty()) {
            Said said = open.pop();
            if (++values > most) throw QueryRefusedException.tooComplex("at most " + most + " values of arguments");
            boolean direct = rule.lists().contains(said.name());
            switch (said.value()) {
                case ObjectValue object -> {
                    if (direct) found.add(usual());
                    for (ObjectField each : object.getObjectFields())
                        open.push(new Said(each.getName(), each.getValue()));
                }
                case ArrayValue array -> {
                    if (direct) found.add(usual());
                    for (Value<?> each : array.getValues()) open.push(new Said(said.name(), each));
                }
                case VariableReference variable ->
                    found.add(new ListLength.Variable(
                            variable.getName(), direct, otherwise(said.name(), variable.getName())));
                case Value<?> value -> {
                    if (direct) found.add(new ListLength.Fixed(length(value)));
                }
            }
        }
    }

    /// By the default value of a variable that stands for the argument `name`. No variable stands in one.
    private long otherwise(String name, String variable) {
        Value<?> value = defaults.getOrDefault(variable, NullValue.of());
        if (value instanceof VariableReference) return rule.usual();
        var lengths = new ArrayList<ListLength>(1);
        find(new Said(name, value), lengths);
        return ListLength.most(lengths, new VariableLengths(MissingNode.getInstance(), rule));
    }

    private ListLength usual() {
        return new ListLength.Fixed(rule.usual());
    }

    private long length(Value<?> value) {
        return switch (value) {
            case IntValue whole -> rule.length(new BigDecimal(whole.getValue()));
            case FloatValue broken -> rule.length(broken.getValue());
            case EnumValue name -> rule.length(name.getName());
            case StringValue text -> rule.length(Objects.requireNonNullElse(text.getValue(), ""));
            default -> rule.usual();
        };
    }
}
