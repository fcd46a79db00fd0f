package gateway.policies.script.javascript;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/// A function of ours that scripts call.
final class HostFunction extends BaseFunction {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int INSTRUCTIONS = 10; // of a call, about; what has been used up is looked at before each

    private final String name;
    private final int arity;
    private final transient Body body;

    /// What it does.
    @FunctionalInterface
    interface Body {
        @Nullable
        Object call(SandboxContext context, Scriptable scope, Object self, Object[] arguments);
    }

    HostFunction(ScriptableObject scope, String name, int arity, Body body) {
        super(scope, ScriptableObject.getFunctionPrototype(scope));
        this.name = name;
        this.arity = arity;
        this.body = body;
    }

    @Override
    public @Nullable Object call(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
        var run = (SandboxContext) context;
        run.spend(INSTRUCTIONS);
        return body.call(run, scope, self, arguments);
    }

    @Override
    public Scriptable construct(Context context, Scriptable scope, Object[] arguments) {
        throw org.mozilla.javascript.ScriptRuntime.typeError(name + " is no constructor");
    }

    @Override
    protected boolean hasPrototypeProperty() {
        return false;
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
