package gateway.policies.script.javascript;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;

/// All objects that are reached from one: by its properties, their getters and its prototypes.
final class SealedObjects {
    private SealedObjects() {}

    /// From now on nothing of them changes, so that threads may share them.
    static void seal(ScriptableObject root) {
        for (ScriptableObject each : reachedFrom(root)) each.sealObject();
    }

    static Set<ScriptableObject> reachedFrom(ScriptableObject root) {
        Set<ScriptableObject> found = Collections.newSetFromMap(new IdentityHashMap<>());
        var open = new ArrayDeque<ScriptableObject>();
        reach(root, found, open);
        while (!open.isEmpty()) {
            ScriptableObject next = open.poll();
            reach(next.getPrototype(), found, open);
            for (Object id : next.getAllIds()) {
                reach(value(next, id), found, open);
                if (id instanceof Symbol) continue; // none of those has a getter
                String name = id instanceof String text ? text : null;
                int index = id instanceof Integer number ? number : 0;
                reach(next.getGetterOrSetter(name, index, next, false), found, open);
                reach(next.getGetterOrSetter(name, index, next, true), found, open);
            }
        }
        return found;
    }

    private static void reach(@Nullable Object value, Set<ScriptableObject> found, ArrayDeque<ScriptableObject> open) {
        if (value instanceof ScriptableObject object && found.add(object)) open.add(object);
    }

    private static @Nullable Object value(ScriptableObject object, Object id) {
        try {
            return switch (id) {
                case String name -> object.get(name, object);
                case Symbol symbol -> object.get(symbol, object);
                default -> object.get(((Number) id).intValue(), (Scriptable) object);
            };
        } catch (RuntimeException e) {
            return null; // a getter that wants an object of its own
        }
    }
}
