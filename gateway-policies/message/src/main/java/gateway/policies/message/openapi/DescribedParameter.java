package gateway.policies.message.openapi;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.BoundReachedException;
import gateway.policies.message.openapi.NamedTexts.Field;
import gateway.policies.message.schema.CompiledSchema;
import gateway.policies.message.schema.Finding;
import gateway.policies.message.schema.SchemaUse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// A parameter of requests, or a header of answers, as a document has it.
///
/// @param required whether it has to be there
/// @param allowsEmpty whether an empty text stands for nothing
/// @param json whether the text is JSON
/// @param others names of the other parameters of the query, which are none of this one's members
record DescribedParameter(
        ParameterPlace in,
        String name,
        boolean required,
        boolean allowsEmpty,
        boolean json,
        StyledTexts texts,
        ValueShape shape,
        CompiledSchema schema,
        Set<String> others) {
    private static final long EFFORT = 10_000; // it is a text of a head
    private static final String NOT_ONE = "expected one value as its style has it";

    DescribedParameter {
        others = Set.copyOf(others);
    }

    DescribedParameter beside(Set<String> names) {
        return new DescribedParameter(in, name, required, allowsEmpty, json, texts, shape, schema, names);
    }

    /// Whether the members of an object stand in the query as parameters of their own.
    private boolean isSpread() {
        return in == ParameterPlace.QUERY
                && shape.may(ValueKind.OBJECT)
                && texts.style() == ParameterStyle.FORM
                && texts.explode();
    }

    /// Whether the members of an object stand in the query as `name[member]`.
    private boolean isDeep() {
        return !json && shape.may(ValueKind.OBJECT) && texts.style() == ParameterStyle.DEEP_OBJECT;
    }

    void check(RequestParts parts, SchemaUse use, Faults faults) {
        if (isDeep() && parts.query().isMixed(name)) {
            faults.add(in.written(), Faults.step(name), NOT_ONE);
            return;
        }
        List<Field> members = members(parts);
        List<String> raws = members.isEmpty() ? parts.raws(in, name) : List.of();
        boolean nothing = allowsEmpty && raws.equals(List.of(""));
        if (members.isEmpty() && (raws.isEmpty() || nothing)) {
            if (required && !nothing) faults.add(in.written(), Faults.step(name), "expected to be there");
            return;
        }
        List<Finding> first = List.of();
        boolean read = false;
        for (boolean textFirst = false; ; textFirst = true) {
            for (JsonNode each : candidates(members, raws, textFirst)) {
                List<Finding> findings = findings(each, use, faults.room());
                if (findings.isEmpty()) return;
                if (!read) first = findings;
                read = true;
            }
            if (textFirst || !shape.isAmbiguous()) break;
        }
        if (read) faults.add(in.written(), Faults.step(name), first);
        else faults.add(in.written(), Faults.step(name), NOT_ONE);
    }

    private List<Finding> findings(JsonNode value, SchemaUse use, int most) {
        try {
            return schema.findings(value, use, EFFORT, Math.max(1, most));
        } catch (BoundReachedException _) {
            return List.of(new Finding("", "effort", "a value that is looked at in " + EFFORT + " evaluations"));
        }
    }

    private List<Field> members(RequestParts parts) {
        if (json || !shape.may(ValueKind.OBJECT)) return List.of();
        if (isDeep()) return parts.query().deep(name);
        if (!isSpread()) return List.of();
        boolean open = shape.members().isEmpty() || !shape.elements().isEmpty();
        return parts.query()
                .where(each ->
                        shape.members().containsKey(each) || (open && !others.contains(each.split("\\[", 2)[0])));
    }

    private List<JsonNode> candidates(List<Field> members, List<String> raws, boolean textFirst) {
        var values = new ValueTexts(in::decoded, textFirst);
        var found = new ArrayList<JsonNode>(1);
        if (!members.isEmpty()) {
            values.object(members, shape).ifPresent(found::add);
            return found;
        }
        List<String> whole = in == ParameterPlace.HEADER && !isOne() ? List.of(String.join(",", raws)) : raws;
        if (json) {
            texts.one(whole)
                    .flatMap(in::decoded)
                    .flatMap(DescribedParameter::parsed)
                    .ifPresent(found::add);
            return found;
        }
        if (shape.may(ValueKind.OBJECT) && !isSpread())
            texts.members(whole).flatMap(each -> decodedNames(each, values)).ifPresent(found::add);
        if (shape.may(ValueKind.ARRAY))
            texts.elements(whole).flatMap(each -> values.array(each, shape)).ifPresent(found::add);
        if (!isOnlyMany())
            texts.one(whole).flatMap(each -> values.value(each, shape)).ifPresent(found::add);
        return found;
    }

    private boolean isOne() {
        return !shape.may(ValueKind.ARRAY) && !shape.may(ValueKind.OBJECT);
    }

    private boolean isOnlyMany() {
        return !shape.may(ValueKind.TEXT) && !shape.may(ValueKind.NUMBER) && !shape.may(ValueKind.BOOLEAN);
    }

    private Optional<JsonNode> decodedNames(List<Field> fields, ValueTexts values) {
        var decoded = new ArrayList<Field>();
        for (Field each : fields) in.decoded(each.name()).ifPresent(name -> decoded.add(new Field(name, each.raw())));
        return decoded.size() == fields.size() ? values.object(decoded, shape) : Optional.empty();
    }

    private static Optional<JsonNode> parsed(String text) {
        try {
            return Optional.of(Json.parse(text.getBytes(StandardCharsets.UTF_8), _ -> {}));
        } catch (InvalidConfigException _) {
            return Optional.empty();
        }
    }
}
