package gateway.policies.script.javascript;

import gateway.http.Consumer;
import gateway.policies.script.run.ScriptMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.TopLevel;
import org.mozilla.javascript.Undefined;

/// What all scripts have in common: built-in objects, cut down, bounded and sealed, and functions of ours.
record SharedScope(Sandbox sandbox, ScriptableObject scope) {
    private static final String PRELUDE = "prelude.js";

    static SharedScope make() {
        var sandbox = new Sandbox();
        Script prelude = JavaScript.compiled(ScriptResource.read(PRELUDE), PRELUDE, sandbox);
        try (Context context = sandbox.enterContext()) {
            ScriptableObject scope = context.initSafeStandardObjects(new TopLevel(), false);
            NativeObject made = prelude(context, scope, prelude);
            new BoundedBuiltins(scope).install();
            AllowedBuiltins.load().cut(scope);
            HostFunctions.install(scope, context);
            SealedObjects.seal(scope);
            SealedObjects.seal((ScriptableObject) ScriptableObject.getProperty(made, "kinds"));
            return new SharedScope(sandbox, scope);
        }
    }

    /// Methods that are scripts themselves take the place of those of the same names.
    private static NativeObject prelude(Context context, ScriptableObject scope, Script prelude) {
        var limits = context.newObject(scope);
        limits.put("elements", limits, Bounds.ELEMENTS);
        var make = (org.mozilla.javascript.Function) prelude.exec(context, scope, scope);
        var made = (NativeObject) make.call(context, scope, scope, new Object[] {limits});
        for (Object path : made.getIds()) {
            if (!Character.isUpperCase(path.toString().charAt(0))) continue;
            var methods = (NativeObject) ScriptableObject.getProperty(made, path.toString());
            ScriptableObject owner = AllowedBuiltins.object(path.toString(), scope);
            for (Object name : methods.getIds())
                replace(owner, name.toString(), ScriptableObject.getProperty(methods, name.toString()));
        }
        ScriptableObject arrays = AllowedBuiltins.object("Array.prototype", scope);
        iterator(arrays, ScriptableObject.getProperty(arrays, "values"));
        iterator(AllowedBuiltins.object("String.prototype", scope), ScriptableObject.getProperty(made, "iterator"));
        return made;
    }

    private static void replace(ScriptableObject owner, String name, Object function) {
        if (owner.has(name, owner)) owner.setAttributes(name, ScriptableObject.EMPTY);
        owner.delete(name);
        owner.defineProperty(name, function, ScriptableObject.DONTENUM);
    }

    private static void iterator(ScriptableObject owner, Object function) {
        owner.setAttributes(SymbolKey.ITERATOR, ScriptableObject.EMPTY);
        owner.delete(SymbolKey.ITERATOR);
        owner.defineProperty(SymbolKey.ITERATOR, function, ScriptableObject.DONTENUM);
    }

    /// A scope for one run, within this one: what it declares is its own, and what it does not declare it cannot set.
    Scriptable fresh(SandboxContext context, ScriptMessage message) {
        var fresh = new NativeObject();
        fresh.setParentScope(scope);
        fresh.put("request", fresh, RequestProperties.of(context, fresh, message));
        boolean isAnswer = message.answer().isPresent();
        fresh.put("response", fresh, isAnswer ? ResponseProperties.of(context, fresh, message) : Undefined.instance);
        fresh.put("consumer", fresh, consumer(context, fresh, message.consumer()));
        fresh.put("vars", fresh, new HostObject(fresh, new TextProperties(message.variables())));
        return fresh;
    }

    private static @Nullable Object consumer(Context context, Scriptable scope, Optional<Consumer> known) {
        if (known.isEmpty()) return null;
        Consumer who = known.get();
        Scriptable consumer = context.newObject(scope);
        consumer.put("id", consumer, who.id());
        consumer.put("name", consumer, who.name());
        consumer.put("tags", consumer, context.newArray(scope, who.tags().toArray()));
        consumer.put("metadata", consumer, members(context, scope, who.metadata()));
        return consumer;
    }

    private static Scriptable members(Context context, Scriptable scope, Map<String, String> texts) {
        Scriptable object = context.newObject(scope);
        List.copyOf(texts.entrySet()).forEach(each -> object.put(each.getKey(), object, each.getValue()));
        return object;
    }
}
