package gateway.policies.script.javascript;

import org.mozilla.javascript.Callable;
import org.mozilla.javascript.ConsString;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.JSFunction;
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
        boolean isOwn = function instanceof JSFunction; // of a script, which is looked at while it runs
        if (!isOwn) ((SandboxContext) context).glance();
        return function.call(context, scope, self, given);
    }

    public static Scriptable newObject(Object function, Context context, Scriptable scope, Object[] given) {
        count(context);
        LongOperands.glance();
        return ScriptRuntime.newObject(function, context, scope, given);
    }

    private static void count(Context context) {
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

    /// `function(given)`, where the function goes by the name of `eval`, which is not there.
    public static void look() {
        LongOperands.glance();
    }

    public static boolean in(Object name, Object object, Context context) {
        LongOperands.number(name);
        return ScriptRuntime.in(name, object, context);
    }

    public static Object delete(Object object, Object name, Context context, boolean isName) {
        LongOperands.element(object, name);
        return ScriptRuntime.delete(object, name, context, ScriptRuntime.getTopCallScope(context), isName);
    }

    /// Of a name; what is a text becomes a number.
    public static Object nameIncrDecr(Scriptable scope, String name, Context context, int how) {
        ((SandboxContext) context).glanceAtTimes();
        return ScriptRuntime.nameIncrDecr(scope, name, context, how);
    }

    public static Object propIncrDecr(Object object, String name, Context context, Scriptable scope, int how) {
        ((SandboxContext) context).glanceAtTimes();
        return ScriptRuntime.propIncrDecr(object, name, context, scope, how);
    }

    public static Object elemIncrDecr(Object object, Object name, Context context, Scriptable scope, int how) {
        ((SandboxContext) context).glanceAtTimes();
        LongOperands.element(object, name);
        return ScriptRuntime.elemIncrDecr(object, name, context, scope, how);
    }

    public static Object elemIncrDecr(Object object, double index, Context context, Scriptable scope, int how) {
        ((SandboxContext) context).glanceAtTimes();
        return OptRuntime.elemIncrDecr(object, index, context, scope, how);
    }

    public static ScriptRuntime.LookupResult getElemAndThis(
            Object object, Object name, Context context, Scriptable scope) {
        LongOperands.element(object, name);
        return ScriptRuntime.getElemAndThis(object, name, context, scope);
    }

    /// Of a value that is called: of one that is no function an error tells all.
    public static ScriptRuntime.LookupResult getValueAndThis(Object value, Context context) {
        LongOperands.number(value);
        return ScriptRuntime.getValueAndThis(value, context);
    }

    public static ScriptRuntime.LookupResult getElemAndThisOptional(
            Object object, Object name, Context context, Scriptable scope) {
        LongOperands.element(object, name);
        return ScriptRuntime.getElemAndThisOptional(object, name, context, scope);
    }

    /// The names that a loop goes through are all made before it begins.
    public static Object enumInit(Object object, Context context, Scriptable scope, int kind) {
        if (kind != ScriptRuntime.ENUMERATE_VALUES_IN_ORDER) Bounds.checkElementsOfText(object);
        LongOperands.glance();
        return ScriptRuntime.enumInit(object, context, scope, kind);
    }

    public static void fillObjectLiteral(
            Scriptable object, Object[] names, Object[] values, int[] accessors, Context context, Scriptable scope) {
        for (Object each : names) LongOperands.number(each);
        ScriptRuntime.fillObjectLiteral(object, names, values, accessors, context, scope);
    }
}
