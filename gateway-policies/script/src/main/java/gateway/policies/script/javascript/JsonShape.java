package gateway.policies.script.javascript;

import org.mozilla.javascript.ScriptRuntime;

/// How deep and how wide a JSON text is, before it is read: what reads it goes down by calls of its own.
final class JsonShape {
    private JsonShape() {}

    /// @param arguments of `JSON.parse`, of which the first is a text from now on
    static void check(Object[] arguments) {
        if (arguments.length == 0) return;
        String text = ScriptRuntime.toString(arguments[0]);
        arguments[0] = text;
        int depth = 0;
        int elements = 0;
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted) {
                if (c == '\\') i++;
                else if (c == '"') quoted = false;
                continue;
            }
            switch (c) {
                case '"' -> quoted = true;
                case '[', '{' -> {
                    if (++depth > Bounds.DEPTH) throw Bounds.tooDeep();
                    elements++;
                }
                case ']', '}' -> depth--;
                case ',' -> elements++;
                default -> {}
            }
        }
        Bounds.checkElements(elements);
    }
}
