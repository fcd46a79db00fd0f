package gateway.policies.message.template;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a template sees of the gateway: names with values, or JSON. Nothing else can be reached by one.
sealed interface ShownValue {
    /// Null where there is none. Texts and flags are those of Java, what else a template can show is a [ShownValue].
    @Nullable
    Object member(String name);

    /// Values by names that are looked up when they are asked for.
    ///
    /// @param values by name; null where there is none
    record Named(Values values) implements ShownValue {
        @Override
        public @Nullable Object member(String name) {
            return values.of(name);
        }

        @Override
        public String toString() {
            return ""; // it is no text
        }
    }

    @FunctionalInterface
    interface Values {
        @Nullable
        Object of(String name);
    }

    /// An object, array or number.
    ///
    /// @param effort spent by going through its elements, and by names that are looked up
    record Json(JsonNode node, TemplateEffort effort) implements ShownValue {
        @Override
        public @Nullable Object member(String name) {
            effort.lookUp();
            JsonNode found = node.get(name);
            return found == null ? null : shown(found);
        }

        boolean isArray() {
            return node.isArray();
        }

        Iterator<Object> elements() {
            Iterator<JsonNode> all = node.values().iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return all.hasNext();
                }

                @Override
                public Object next() {
                    effort.repeat();
                    return shown(all.next());
                }
            };
        }

        /// Null is there, and hides a value of the same name further out.
        private Object shown(JsonNode found) {
            Object value = of(found, effort);
            return value == null ? TemplateKind.NOTHING : value;
        }

        @Override
        public String toString() {
            return node.isNumber() ? node.asString() : gateway.json.Json.compact(node);
        }
    }

    /// JSON as a template sees it; null for null.
    static @Nullable Object of(JsonNode node, TemplateEffort effort) {
        if (node.isString()) return node.stringValue();
        if (node.isBoolean()) return node.booleanValue();
        return node.isNull() || node.isMissingNode() ? null : new Json(node, effort);
    }
}
