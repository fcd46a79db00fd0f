package gateway.policies.script.javascript;

import java.util.ArrayList;
import org.mozilla.javascript.IteratorLikeIterable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/// What an iterator brings. One of built-in functions alone would never come to an instruction that is counted.
final class Elements {
    private static final int INSTRUCTIONS = 10; // of one step, about

    private Elements() {}

    /// An array of what `iterable` brings, each step counted; what nothing can be had of goes on as it is.
    static Object counted(SandboxContext context, Scriptable scope, Object iterable) {
        if (!(iterable instanceof Scriptable)) return iterable; // texts, and what is refused anyway
        Object iterator = ScriptRuntime.callIterator(iterable, context, scope);
        if (Undefined.isUndefined(iterator)) return iterable;
        var elements = new ArrayList<Object>();
        try (var steps = new IteratorLikeIterable(context, scope, iterator)) {
            for (Object each : steps) {
                context.spend(INSTRUCTIONS);
                elements.add(each);
                Bounds.checkElements(elements.size());
            }
        }
        return context.newArray(scope, elements.toArray());
    }
}
