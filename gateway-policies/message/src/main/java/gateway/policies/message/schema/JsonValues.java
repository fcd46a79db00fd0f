package gateway.policies.message.schema;

import java.math.BigDecimal;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// JSON values as schemas compare them: 1 and 1.0 are the same, members have no order.
final class JsonValues {
    private static final int TEXT_FOR_A_UNIT = 64;

    private JsonValues() {}

    static boolean same(JsonNode one, JsonNode other, Evaluation run) {
        run.spend(1);
        if (one.isNumber()) {
            return other.isNumber() && one.decimalValue().compareTo(other.decimalValue()) == 0;
        }
        if (one.isString()) {
            if (!other.isString()) return false;
            run.spend(one.stringValue().length() / TEXT_FOR_A_UNIT);
            return one.stringValue().equals(other.stringValue());
        }
        if (one.size() != other.size() || one.getNodeType() != other.getNodeType()) return false;
        if (one.isArray()) {
            for (int i = 0; i < one.size(); i++) if (!same(one.get(i), other.get(i), run)) return false;
            return true;
        }
        if (!one.isObject()) return one.equals(other);
        for (Map.Entry<String, JsonNode> each : one.properties()) {
            JsonNode there = other.get(each.getKey());
            if (there == null || !same(each.getValue(), there, run)) return false;
        }
        return true;
    }

    /// The same for values that are the same.
    static int hash(JsonNode value, Evaluation run) {
        run.spend(1);
        if (value.isNumber()) return Double.hashCode(value.decimalValue().doubleValue() + 0.0);
        if (value.isString()) {
            run.spend(value.stringValue().length() / TEXT_FOR_A_UNIT);
            return value.stringValue().hashCode();
        }
        int hash = value.getNodeType().name().hashCode();
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) hash = 31 * hash + hash(value.get(i), run);
        }
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> each : value.properties()) {
                hash += each.getKey().hashCode() ^ hash(each.getValue(), run); // in whatever order
            }
        }
        return value.isBoolean() ? Boolean.hashCode(value.booleanValue()) : hash;
    }

    static boolean isWhole(JsonNode value, SchemaDraft draft) {
        if (value.isIntegralNumber()) return true;
        if (!value.isNumber() || draft.isOld()) return false;
        BigDecimal number = value.decimalValue();
        return number.signum() == 0
                || number.scale() <= 0
                || number.stripTrailingZeros().scale() <= 0;
    }

    static int characters(String text, Evaluation run) {
        run.spend(text.length() / (4 * TEXT_FOR_A_UNIT));
        return text.codePointCount(0, text.length());
    }
}
