package gateway.policies.script.javascript;

import java.util.List;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.JSFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/// Puts a bound before built-in functions whose work or result may be more than what they are given.
///
/// @param scope whose objects they are of
record BoundedBuiltins(ScriptableObject scope) {
    private static final List<String> OF_ARRAYS =
            List.of("at", "fill", "pop", "push", "reverse", "shift", "slice", "splice", "unshift");

    /// Those that call the first of their arguments for each element.
    private static final List<String> CALLING_FOR_EACH = List.of(
            "every",
            "filter",
            "find",
            "findIndex",
            "findLast",
            "findLastIndex",
            "forEach",
            "map",
            "reduce",
            "reduceRight",
            "some");
    private static final List<String> OF_OBJECTS =
            List.of("entries", "getOwnPropertyNames", "isFrozen", "isSealed", "keys", "values");
    private static final List<String> CHANGING_OBJECTS = List.of(
            "assign", "defineProperties", "defineProperty", "freeze", "preventExtensions", "seal", "setPrototypeOf");
    private static final List<String> OF_URIS =
            List.of("decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent");
    /// What is looked at before a function is called.
    @FunctionalInterface
    private interface Look {
        void at(Object self, Object[] arguments);
    }

    /// Replaces them all.
    void install() {
        for (String each : OF_ARRAYS) before("Array.prototype", each, BoundedBuiltins::list);
        for (String each : CALLING_FOR_EACH) before("Array.prototype", each, this::calls);
        for (String each : List.of("Map", "Set")) before(each + ".prototype", "forEach", (_, given) -> count(given));
        for (String each : List.of("max", "min", "hypot")) before("Math", each, (_, given) -> checkTexts(given));
        for (String each : List.of("fromCharCode", "fromCodePoint"))
            before("String", each, (_, given) -> checkTexts(given));
        for (String each : OF_OBJECTS) before("Object", each, BoundedBuiltins::objects);
        for (String each : CHANGING_OBJECTS) before("Object", each, BoundedBuiltins::changes);
        for (String each : OF_URIS) replace(scope, each, bounded(function(scope, each)));
        TextFunctions.all()
                .forEach((name, body) ->
                        replace(object("String.prototype"), name, new HostFunction(scope, name, 1, body)));
        before("JSON", "parse", (_, arguments) -> JsonShape.check(arguments));
        replace(object("JSON"), "stringify", JsonText.function(scope));
        replace(object("Function.prototype"), "apply", new HostFunction(scope, "apply", 2, BoundedBuiltins::apply));
        Callable fromEntries = function(object("Object"), "fromEntries");
        replace(
                object("Object"),
                "fromEntries",
                new HostFunction(scope, "fromEntries", 1, (context, from, self, arguments) -> {
                    Object[] taken = arguments.clone();
                    if (taken.length > 0) taken[0] = Elements.counted(context, from, taken[0]);
                    return fromEntries.call(context, from, (Scriptable) self, taken);
                }));
        constructor("RegExp", BoundedConstructor.ofExpressions(scope, object("RegExp")));
        for (String each : List.of("Map", "Set"))
            constructor(each, BoundedConstructor.ofElements(scope, each, object(each)));
    }

    private void constructor(String name, BoundedConstructor bounded) {
        replace(object(name + ".prototype"), "constructor", bounded);
        replace(scope, name, bounded);
    }

    private ScriptableObject object(String path) {
        return AllowedBuiltins.object(path, scope);
    }

    private void before(String path, String name, Look look) {
        ScriptableObject object = object(path);
        Callable behind = function(object, name);
        replace(object, name, new HostFunction(scope, name, 1, (context, from, self, arguments) -> {
            look.at(self, arguments);
            return behind.call(context, from, (Scriptable) self, arguments);
        }));
    }

    private HostFunction bounded(Callable behind) {
        return new HostFunction(scope, "", 1, (context, from, self, arguments) -> {
            Object made = behind.call(context, from, (Scriptable) self, arguments);
            if (made instanceof CharSequence text) Bounds.checkText(text.length());
            return made;
        });
    }

    private static Callable function(ScriptableObject object, String name) {
        if (ScriptableObject.getProperty(object, name) instanceof Callable function) return function;
        throw new IllegalStateException("this Rhino has no function " + name);
    }

    private static void replace(ScriptableObject object, String name, Object function) {
        object.setAttributes(name, ScriptableObject.EMPTY);
        object.delete(name);
        object.defineProperty(name, function, ScriptableObject.DONTENUM);
    }

    private static void list(Object self, Object[] arguments) {
        NativeArray array = Bounds.list(self);
        Bounds.checkElements(array.getLength() + arguments.length);
    }

    private void calls(Object self, Object[] arguments) {
        list(self, arguments);
        count(arguments);
    }

    /// A built-in function that is called by another comes to no instruction that is counted.
    private void count(Object[] arguments) {
        if (arguments.length == 0 || arguments[0] instanceof JSFunction || !(arguments[0] instanceof Callable behind))
            return;
        arguments[0] = new HostFunction(
                scope, "", 1, (context, from, self, given) -> behind.call(context, from, (Scriptable) self, given));
    }

    /// Texts that are read as numbers, each of which may be as long as there are.
    private static void checkTexts(Object[] arguments) {
        long characters = 0;
        for (Object each : arguments) if (each instanceof CharSequence text) characters += text.length();
        Bounds.checkText(characters);
    }

    private static void objects(Object self, Object[] arguments) {
        for (Object each : arguments) Bounds.checkElementsOfText(each);
    }

    private static void changes(Object self, Object[] arguments) {
        objects(self, arguments);
        if (arguments.length > 0) Bounds.checkShared(arguments[0]);
    }

    private static Object apply(Context context, Scriptable scope, Object self, Object[] arguments) {
        if (!(self instanceof Callable function)) throw ScriptRuntime.typeError("apply: expected a function");
        Object given = arguments.length < 2 ? Undefined.instance : arguments[1];
        Object as = arguments.length < 1 ? Undefined.instance : arguments[0];
        Object[] handed = ScriptRuntime.emptyArgs;
        if (given != null && !Undefined.isUndefined(given)) {
            if (!(given instanceof Scriptable list)) throw ScriptRuntime.typeError("apply: expected an array");
            double length = ScriptRuntime.toInteger(ScriptableObject.getProperty(list, "length"));
            Bounds.checkElements((long) length);
            handed = new Object[(int) Math.max(0, length)];
            for (int i = 0; i < handed.length; i++) {
                Object value = ScriptableObject.getProperty(list, i);
                handed[i] = Scriptable.NOT_FOUND.equals(value) ? Undefined.instance : value;
            }
        }
        Scriptable onto =
                as == null || Undefined.isUndefined(as) ? null : ScriptRuntime.toObjectOrNull(context, as, scope);
        return function.call(context, scope, onto == null ? Undefined.SCRIPTABLE_UNDEFINED : onto, handed);
    }
}
