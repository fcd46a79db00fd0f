package gateway.policies.script.javascript;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/// A value as JSON text, as ECMA-262 has it (JSON.stringify), within bounds: an object that stands in another one many
/// times is written as often, so that its work is counted and its text measured while it grows.
final class JsonText {
    private static final int COUNTED_AT_ONCE = 256;
    private static final int COST = 10; // instructions for each value
    private static final int WIDEST_INDENT = 10;
    private static final HexFormat HEX = HexFormat.of();

    private final SandboxContext context;
    private final Scriptable scope;
    private final @Nullable Callable replacer;
    private final @Nullable List<Object> only; // members that are written; null: all
    private final String step;
    private final StringBuilder text = new StringBuilder();
    private final List<Scriptable> within = new ArrayList<>();
    private int uncounted;

    private JsonText(SandboxContext context, Scriptable scope, Object replacer, String step) {
        this.context = context;
        this.scope = scope;
        this.replacer = replacer instanceof Callable function ? function : null;
        this.only = replacer instanceof NativeArray list ? names(list) : null;
        this.step = step;
    }

    static HostFunction function(ScriptableObject scope) {
        return new HostFunction(scope, "stringify", 3, (context, from, _, arguments) -> {
            Object value = arguments.length > 0 ? arguments[0] : Undefined.instance;
            Object replacer = arguments.length > 1 ? arguments[1] : Undefined.instance;
            String step = arguments.length > 2 ? step(arguments[2]) : "";
            return new JsonText(context, from, replacer, step).of(value);
        });
    }

    /// The text of a value; undefined where it has none.
    static Object of(@Nullable Object value, SandboxContext context, Scriptable scope) {
        return new JsonText(context, scope, Undefined.instance, "").of(value);
    }

    private Object of(@Nullable Object value) {
        Scriptable holder = context.newObject(scope);
        holder.put("", holder, value);
        return written(holder, "") ? text.toString() : Undefined.instance;
    }

    private static String step(Object indent) {
        if (indent instanceof Number number) return " ".repeat(Math.clamp(number.intValue(), 0, WIDEST_INDENT));
        if (indent instanceof CharSequence chosen)
            return chosen.subSequence(0, Math.min(chosen.length(), WIDEST_INDENT))
                    .toString();
        return "";
    }

    private static List<Object> names(NativeArray list) {
        Bounds.list(list);
        var names = new ArrayList<Object>();
        for (int i = 0; i < list.getLength(); i++) {
            Object name = ScriptableObject.getProperty(list, i);
            if (name instanceof CharSequence || name instanceof Number) names.add(ScriptRuntime.toString(name));
        }
        return names;
    }

    /// Writes the member `key`; false: it has no text.
    private boolean written(Scriptable holder, Object key) {
        count();
        Object value = value(holder, key);
        if (value == null) return add("null");
        if (value instanceof Boolean || value instanceof CharSequence || value instanceof Number)
            return addPlain(value);
        if (!(value instanceof Scriptable object) || value instanceof Callable || Undefined.isUndefined(value))
            return false;
        if (within.contains(object)) throw ScriptRuntime.typeError("the value holds itself");
        if (within.size() >= Bounds.DEPTH) throw Bounds.tooDeep();
        within.add(object);
        if (object instanceof NativeArray array) writeArray(array);
        else writeObject(object);
        within.removeLast();
        return true;
    }

    private @Nullable Object value(Scriptable holder, Object key) {
        Object value = member(holder, key);
        if (value instanceof Scriptable object
                && ScriptableObject.getProperty(object, "toJSON") instanceof Callable own) {
            value = own.call(context, scope, object, new Object[] {String.valueOf(key)});
        }
        if (replacer != null) value = replacer.call(context, scope, holder, new Object[] {String.valueOf(key), value});
        if (!(value instanceof Scriptable boxed)) return value;
        return switch (boxed.getClassName()) {
            case "Number" -> ScriptRuntime.toNumber(boxed);
            case "String" -> ScriptRuntime.toString(boxed);
            case "Boolean" -> boxed.getDefaultValue(ScriptRuntime.BooleanClass);
            default -> value;
        };
    }

    private static Object member(Scriptable holder, Object key) {
        Object found = key instanceof Integer index
                ? ScriptableObject.getProperty(holder, index)
                : ScriptableObject.getProperty(holder, String.valueOf(key));
        return Scriptable.NOT_FOUND.equals(found) ? Undefined.instance : found;
    }

    private void writeArray(NativeArray array) {
        long length = Bounds.list(array).getLength();
        add("[");
        for (int i = 0; i < length; i++) {
            if (i > 0) add(",");
            newLine(within.size());
            if (!written(array, i)) add("null");
        }
        if (length > 0) newLine(within.size() - 1);
        add("]");
    }

    private void writeObject(Scriptable object) {
        add("{");
        boolean any = false;
        for (Object key : only == null ? Arrays.asList(object.getIds()) : only) {
            if (key instanceof Symbol) continue;
            int before = text.length();
            if (any) add(",");
            newLine(within.size());
            addPlain(String.valueOf(key));
            add(step.isEmpty() ? ":" : ": ");
            if (written(object, key)) any = true;
            else text.setLength(before);
        }
        if (any) newLine(within.size() - 1);
        add("}");
    }

    private void newLine(int depth) {
        if (!step.isEmpty()) add("\n" + step.repeat(depth));
    }

    private boolean add(String more) {
        text.append(more);
        Bounds.checkText(text.length());
        return true;
    }

    private boolean addPlain(Object value) {
        if (value instanceof CharSequence chars) return addQuoted(chars.toString());
        if (value instanceof Number number && !Double.isFinite(number.doubleValue())) return add("null");
        return add(ScriptRuntime.toString(value));
    }

    private boolean addQuoted(String plain) {
        text.append('"');
        int from = 0; // of what stands as it is
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (c >= ' ' && c != '"' && c != '\\' && !(Character.isSurrogate(c) && isAlone(plain, i))) continue;
            text.append(plain, from, i).append(escape(c));
            from = i + 1;
        }
        text.append(plain, from, plain.length());
        return add("\"");
    }

    private static String escape(char c) {
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> "\\u" + HEX.toHexDigits(c);
        };
    }

    /// Whether half of a character stands at `at`, without the other.
    private static boolean isAlone(String plain, int at) {
        char c = plain.charAt(at);
        if (Character.isHighSurrogate(c))
            return at + 1 == plain.length() || !Character.isLowSurrogate(plain.charAt(at + 1));
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(plain.charAt(at - 1)));
    }

    private void count() {
        if (++uncounted < COUNTED_AT_ONCE) return;
        context.spend((long) uncounted * COST);
        uncounted = 0;
    }
}
