package gateway.policies.script.javascript;

import java.io.Serial;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/// `RegExp`, for expressions that are not too long.
final class BoundedExpressions extends BaseFunction {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Function behind;

    BoundedExpressions(ScriptableObject scope, ScriptableObject behind) {
        super(scope, ScriptableObject.getFunctionPrototype(scope));
        this.behind = (Function) behind;
        setImmunePrototypeProperty(ScriptableObject.getProperty(behind, "prototype"));
    }

    @Override
    public Object call(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
        return behind.call(context, scope, self, bounded(arguments));
    }

    @Override
    public Scriptable construct(Context context, Scriptable scope, Object[] arguments) {
        return behind.construct(context, scope, bounded(arguments));
    }

    private static Object[] bounded(Object[] arguments) {
        if (arguments.length == 0) return arguments;
        if (arguments[0] instanceof Scriptable object && object.getClassName().equals("RegExp")) return arguments;
        Object[] taken = arguments.clone();
        if (!org.mozilla.javascript.Undefined.isUndefined(taken[0])) {
            String source = ScriptRuntime.toString(taken[0]);
            if (source.length() > Bounds.EXPRESSION)
                throw ScriptRuntime.rangeError(
                        "expected an expression of at most " + Bounds.EXPRESSION + " characters");
            taken[0] = source;
        }
        return taken;
    }

    @Override
    public String getFunctionName() {
        return "RegExp";
    }

    @Override
    public int getArity() {
        return 2;
    }

    @Override
    public int getLength() {
        return 2;
    }
}
