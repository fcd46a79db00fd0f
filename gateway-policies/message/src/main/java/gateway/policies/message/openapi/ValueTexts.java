package gateway.policies.message.openapi;

import gateway.json.Json;
import gateway.policies.message.openapi.NamedTexts.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// Makes values of texts that were told apart.
///
/// @param decoding of one text; empty where it cannot be decoded
/// @param textFirst whether what may be a text stays one
record ValueTexts(Function<String, Optional<String>> decoding, boolean textFirst) {
    Optional<JsonNode> value(String raw, ValueShape shape) {
        return decoding.apply(raw).map(text -> shape.read(text, textFirst));
    }

    Optional<JsonNode> array(List<String> raws, ValueShape shape) {
        ArrayNode array = Json.mapper().createArrayNode();
        for (String each : raws) {
            Optional<JsonNode> element = value(each, shape.element());
            if (element.isEmpty()) return Optional.empty();
            array.add(element.get());
        }
        return Optional.of(array);
    }

    /// @param fields names decoded; one that comes more than once makes an array where that may be one
    /// @return empty when one cannot be decoded, or comes twice and may not
    Optional<JsonNode> object(List<Field> fields, ValueShape shape) {
        Map<String, List<String>> byName = new LinkedHashMap<>();
        for (Field each : fields)
            byName.computeIfAbsent(each.name(), _ -> new ArrayList<>(1)).add(each.raw());
        var object = Json.mapper().createObjectNode();
        for (Map.Entry<String, List<String>> each : byName.entrySet()) {
            ValueShape member = shape.member(each.getKey());
            List<String> raws = each.getValue();
            if (raws.size() > 1 && !member.may(ValueKind.ARRAY)) return Optional.empty();
            Optional<JsonNode> value =
                    member.may(ValueKind.ARRAY) ? array(raws, member) : value(raws.getFirst(), member);
            if (value.isEmpty()) return Optional.empty();
            object.set(each.getKey(), value.get());
        }
        return Optional.of(object);
    }
}
