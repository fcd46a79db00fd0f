package gateway.policies.script.javascript;

import java.io.Serial;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/// A constructor that is given its first argument within bounds.
final class BoundedConstructor extends BaseFunction {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String name;
    private final int arity;
    private final Function behind;
    private final transient Bounding bounding;

    /// What is taken for the first argument, which is not undefined.
    @FunctionalInterface
    interface Bounding {
        Object of(SandboxContext context, Scriptable scope, Object argument);
    }

    private BoundedConstructor(
            ScriptableObject scope, String name, int arity, ScriptableObject behind, Bounding bounding) {
        super(scope, ScriptableObject.getFunctionPrototype(scope));
        this.name = name;
        this.arity = arity;
        this.behind = (Function) behind;
        this.bounding = bounding;
        setImmunePrototypeProperty(ScriptableObject.getProperty(behind, "prototype"));
    }

    /// `RegExp`, for expressions that are not too long.
    static BoundedConstructor ofExpressions(ScriptableObject scope, ScriptableObject behind) {
        return new BoundedConstructor(scope, "RegExp", 2, behind, (_, _, argument) -> expression(argument));
    }

    /// `Map` or `Set`, whose elements are counted while they come.
    static BoundedConstructor ofElements(ScriptableObject scope, String name, ScriptableObject behind) {
        return new BoundedConstructor(scope, name, 0, behind, Elements::counted);
    }

    private static Object expression(Object argument) {
        if (argument instanceof Scriptable object && object.getClassName().equals("RegExp")) return argument;
        String source = ScriptRuntime.toString(argument);
        if (source.length() > Bounds.EXPRESSION)
            throw ScriptRuntime.rangeError("expected an expression of at most " + Bounds.EXPRESSION + " characters");
        return source;
    }

    @Override
    public Object call(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
        return behind.call(context, scope, self, bounded(context, scope, arguments));
    }

    @Override
    public Scriptable construct(Context context, Scriptable scope, Object[] arguments) {
        return behind.construct(context, scope, bounded(context, scope, arguments));
    }

    private Object[] bounded(Context context, Scriptable scope, Object[] arguments) {
        if (arguments.length == 0 || arguments[0] == null || Undefined.isUndefined(arguments[0])) return arguments;
        Object[] taken = arguments.clone();
        taken[0] = bounding.of((SandboxContext) context, scope, taken[0]);
        return taken;
    }

    @Override
    public String getFunctionName() {
        return name;
    }

    @Override
    public int getArity() {
        return arity;
    }

    @Override
    public int getLength() {
        return arity;
    }
}
