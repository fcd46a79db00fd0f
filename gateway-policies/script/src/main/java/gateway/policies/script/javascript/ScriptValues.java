package gateway.policies.script.javascript;

import gateway.policies.script.run.ScriptEnd;
import gateway.policies.script.run.ScriptEndedError;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import tools.jackson.databind.JsonNode;

/// Values of a script that JSON is.
final class ScriptValues {
    private ScriptValues() {}

    static @Nullable Object of(JsonNode json, Context context, Scriptable scope) {
        return switch (json.getNodeType()) {
            case OBJECT -> {
                Scriptable object = context.newObject(scope);
                json.forEachEntry((name, value) -> put(object, name, of(value, context, scope)));
                yield object;
            }
            case ARRAY -> {
                if (json.size() > Bounds.ELEMENTS) throw tooMany();
                var elements = new Object[json.size()];
                for (int i = 0; i < elements.length; i++) elements[i] = of(json.get(i), context, scope);
                yield context.newArray(scope, elements);
            }
            case NUMBER -> number(json);
            case BOOLEAN -> json.booleanValue();
            case STRING -> json.stringValue();
            case NULL, MISSING, BINARY, POJO -> null;
        };
    }

    private static ScriptEndedError tooMany() {
        return new ScriptEndedError(new ScriptEnd.TooComplex("arrays of at most " + Bounds.ELEMENTS + " elements"));
    }

    private static Object number(JsonNode json) {
        if (json.isInt()) return json.intValue();
        return json.decimalValue().doubleValue();
    }

    /// A member of its own, whatever it is called: `__proto__` too.
    private static void put(Scriptable object, String name, @Nullable Object value) {
        int index = index(name);
        if (index >= 0) object.put(index, object, value);
        else object.put(name, object, value);
    }

    /// The number that a name is written as; negative when it is none.
    private static int index(String name) {
        int length = name.length();
        if (length == 0 || length > 9 || (length > 1 && name.charAt(0) == '0')) return -1;
        int index = 0;
        for (int i = 0; i < length; i++) {
            char c = name.charAt(i);
            if (c < '0' || c > '9') return -1;
            index = index * 10 + c - '0';
        }
        return index;
    }
}
