package gateway.policies.script.javascript;

import org.mozilla.javascript.Callable;
import org.mozilla.javascript.ConsString;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NewLiteralStorage;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.optimizer.OptRuntime;

/// What compiled scripts call beside their operators ([ScriptLoader]).
public final class OperatorBounds {
    private static final int INSTRUCTIONS = 10; // of a built-in function or operator, about

    private OperatorBounds() {}

    /// Rhino counts where a run branches: a straight line of calls would be looked at once it is over.
    public static Object call(Callable function, Context context, Scriptable scope, Scriptable self, Object[] given) {
        count(context);
        return function.call(context, scope, self, given);
    }

    public static Scriptable newObject(Object function, Context context, Scriptable scope, Object[] given) {
        count(context);
        return ScriptRuntime.newObject(function, context, scope, given);
    }

    public static void count(Context context) {
        ScriptRuntime.addInstructionCount(context, INSTRUCTIONS);
    }

    /// The same value. A text put together is a rope until somebody reads it: up to here it has taken no memory.
    public static Object text(Object value) {
        if (value instanceof ConsString rope) Bounds.checkText(rope.length());
        return value;
    }

    public static Object name(Scriptable scope, Context context, String name) {
        return ScriptRuntime.name(context, scope, name);
    }

    public static Object property(Object object, Context context, Scriptable scope, String name) {
        return ScriptRuntime.getObjectProp(object, name, context, scope);
    }

    public static Object maybeProperty(Object object, Context context, Scriptable scope, String name) {
        return ScriptRuntime.getObjectPropNoWarn(object, name, context, scope);
    }

    /// For the elements of an array.
    public static void spread(NewLiteralStorage into, Context context, Scriptable scope, Object value, int at) {
        Bounds.checkElementsOfText(value);
        into.spread(context, scope, Elements.counted((SandboxContext) context, scope, value), at);
    }

    /// For the members of an object.
    public static void spread(Context context, Scriptable scope, NewLiteralStorage into, Object value, int at) {
        Bounds.checkElementsOfText(value);
        OptRuntime.spread(context, scope, into, value, at);
    }
}
