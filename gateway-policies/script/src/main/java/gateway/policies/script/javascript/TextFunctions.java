package gateway.policies.script.javascript;

import gateway.policies.script.javascript.HostFunction.Body;
import gateway.policies.script.run.TextCase;
import java.text.Normalizer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/// Methods of texts whose result may be longer than the text, each with a look at that before it is made; and those
/// that search.
final class TextFunctions {
    private static final int MOST_OF_ONE = 18; // characters that one may become when it is normalized

    private TextFunctions() {}

    static Map<String, Body> all() {
        var all = new LinkedHashMap<String, Body>();
        all.put("concat", (_, _, self, arguments) -> joined(text(self), arguments));
        all.put("includes", (context, _, self, arguments) -> {
            String text = text(self);
            return TextSearch.first(context, text, searched(arguments), place(arguments, text)) >= 0;
        });
        all.put("indexOf", (context, _, self, arguments) -> {
            String text = text(self);
            return TextSearch.first(context, text, wanted(arguments), place(arguments, text));
        });
        all.put("lastIndexOf", (context, _, self, arguments) -> {
            String text = text(self);
            double from = arguments.length < 2 ? Double.NaN : ScriptRuntime.toNumber(arguments[1]);
            double most = Double.isNaN(from) ? text.length() : Math.min(Math.max(from, 0), text.length());
            return TextSearch.last(context, text, wanted(arguments), (int) most);
        });
        all.put("normalize", (_, _, self, arguments) -> normalized(text(self), arguments));
        all.put("padEnd", (_, _, self, arguments) -> {
            String text = text(self);
            return text + padding(text, arguments);
        });
        all.put("padStart", (_, _, self, arguments) -> {
            String text = text(self);
            return padding(text, arguments) + text;
        });
        all.put("repeat", (_, _, self, arguments) -> repeated(text(self), number(arguments)));
        all.put("toLowerCase", (context, _, self, _) -> bounded(TextCase.lower(text(self), context::spend)));
        all.put("toUpperCase", (context, _, self, _) -> bounded(TextCase.upper(text(self), context::spend)));
        return all;
    }

    private static String text(Object self) {
        if (self == null || Undefined.isUndefined(self)) throw ScriptRuntime.typeError("expected a text");
        return ScriptRuntime.toString(self);
    }

    private static String wanted(Object[] arguments) {
        return ScriptRuntime.toString(arguments.length == 0 ? Undefined.instance : arguments[0]);
    }

    /// What is no expression, which `includes` refuses.
    private static String searched(Object[] arguments) {
        if (arguments.length > 0
                && arguments[0] instanceof Scriptable object
                && object.getClassName().equals("RegExp")) throw ScriptRuntime.typeError("includes: expected a text");
        return wanted(arguments);
    }

    private static int place(Object[] arguments, String text) {
        double from = arguments.length < 2 ? 0 : ScriptRuntime.toInteger(arguments[1]);
        return (int) Math.min(Math.max(from, 0), text.length());
    }

    private static double number(Object[] arguments) {
        return arguments.length == 0 ? 0 : ScriptRuntime.toInteger(arguments[0]);
    }

    private static String bounded(String made) {
        Bounds.checkText(made.length());
        return made;
    }

    private static String joined(String text, Object[] arguments) {
        var all = new StringBuilder(text);
        for (Object each : arguments) {
            String more = ScriptRuntime.toString(each);
            Bounds.checkText((long) all.length() + more.length());
            all.append(more);
        }
        return all.toString();
    }

    private static String repeated(String text, double times) {
        if (times < 0 || Double.isInfinite(times)) throw ScriptRuntime.rangeError("repeat: expected a number from 0");
        if (text.isEmpty()) return "";
        Bounds.checkText((long) Math.min(times * text.length(), Long.MAX_VALUE));
        return text.repeat((int) times);
    }

    private static String padding(String text, Object[] arguments) {
        double length = number(arguments);
        String with = arguments.length < 2 || Undefined.isUndefined(arguments[1])
                ? " "
                : ScriptRuntime.toString(arguments[1]);
        if (length <= text.length() || with.isEmpty()) return "";
        Bounds.checkText((long) Math.min(length, Long.MAX_VALUE));
        int missing = (int) length - text.length();
        return with.repeat(missing / with.length() + 1).substring(0, missing);
    }

    private static String normalized(String text, Object[] arguments) {
        String form = arguments.length == 0 || Undefined.isUndefined(arguments[0])
                ? "NFC"
                : ScriptRuntime.toString(arguments[0]);
        if (!form.matches("NFK?[CD]")) throw ScriptRuntime.rangeError("normalize: expected NFC, NFD, NFKC or NFKD");
        Bounds.checkText((long) text.length() * MOST_OF_ONE);
        Bounds.checkMarks(text);
        return Normalizer.normalize(text, Normalizer.Form.valueOf(form));
    }
}
