package gateway.policies.script.javascript;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.SymbolKey;

/// The objects that Rhino makes, cut down to what stands on a list: what a new version brings is not there until
/// somebody has looked at it.
final class AllowedBuiltins {
    private static final Map<String, Symbol> SYMBOLS = Map.of(
            "@@iterator", SymbolKey.ITERATOR,
            "@@hasInstance", SymbolKey.HAS_INSTANCE,
            "@@toPrimitive", SymbolKey.TO_PRIMITIVE,
            "@@toStringTag", SymbolKey.TO_STRING_TAG);

    private final Map<String, Set<Object>> allowed;

    private AllowedBuiltins(Map<String, Set<Object>> allowed) {
        this.allowed = allowed;
    }

    static AllowedBuiltins load() {
        var allowed = new HashMap<String, Set<Object>>();
        ScriptResource.read("builtins.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> {
                    int colon = line.indexOf(':');
                    var names = new HashSet<Object>();
                    for (String name : line.substring(colon + 1).strip().split(" ", -1)) names.add(id(name));
                    allowed.put(line.substring(0, colon), names);
                });
        return new AllowedBuiltins(allowed);
    }

    /// What an object calls a name of the list.
    private static Object id(String name) {
        Symbol symbol = SYMBOLS.get(name);
        return symbol == null ? name : symbol;
    }

    /// Deletes all that is not on the list from what is reached by names on it.
    void cut(ScriptableObject scope) {
        allowed.forEach((path, names) -> {
            if (!path.equals("global")) cut(object(path, scope), names);
        });
        if (ScriptableObject.getGeneratorFunctionPrototype(scope) instanceof ScriptableObject generators)
            delete(generators, "constructor"); // which makes code of texts
        Set<Object> globals = allowed.getOrDefault("global", Set.of());
        cut(scope, globals);
    }

    /// The object that `path` leads to, such as `Array.prototype`.
    static ScriptableObject object(String path, ScriptableObject scope) {
        Object found = scope;
        for (String name : path.split("\\.", -1)) {
            found = ScriptableObject.getProperty((Scriptable) found, name);
        }
        if (found instanceof ScriptableObject object) return object;
        throw new IllegalStateException("this Rhino has no " + path);
    }

    private static void cut(ScriptableObject object, Set<Object> names) {
        for (Object id : object.getAllIds()) {
            if (!names.contains(id)) delete(object, id);
        }
    }

    private static void delete(ScriptableObject object, Object id) {
        switch (id) {
            case String name -> {
                object.setAttributes(name, ScriptableObject.EMPTY);
                object.delete(name);
            }
            case Symbol symbol -> {
                object.setAttributes(symbol, ScriptableObject.EMPTY);
                object.delete(symbol);
            }
            default -> object.delete(((Number) id).intValue());
        }
    }
}
