package gateway.policies.script.javascript;

import java.io.Serial;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/// An object of ours as scripts see it: properties that are asked for one at a time, and no prototype.
final class HostObject extends ScriptableObject {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient HostProperties properties;

    HostObject(Scriptable scope, HostProperties properties) {
        super(scope, null);
        this.properties = properties;
    }

    @Override
    public String getClassName() {
        return "Object";
    }

    @Override
    public @Nullable Object get(String name, Scriptable start) {
        return properties.find(name);
    }

    @Override
    public @Nullable Object get(int index, Scriptable start) {
        return properties.find(Integer.toString(index));
    }

    @Override
    public boolean has(String name, Scriptable start) {
        return !NOT_FOUND.equals(properties.find(name));
    }

    @Override
    public boolean has(int index, Scriptable start) {
        return has(Integer.toString(index), start);
    }

    @Override
    public void put(String name, Scriptable start, @Nullable Object value) {
        LongOperands.glance();
        told(() -> {
            properties.set(name, value);
            return true;
        });
    }

    @Override
    public void put(int index, Scriptable start, @Nullable Object value) {
        put(Integer.toString(index), start, value);
    }

    @Override
    public void delete(String name) {
        told(() -> {
            properties.remove(name);
            return true;
        });
    }

    @Override
    public void delete(int index) {
        delete(Integer.toString(index));
    }

    @Override
    public Object[] getIds() {
        return properties.names().toArray();
    }

    @Override
    public Object[] getAllIds() {
        return getIds();
    }

    /// What `work` gives; what it refuses is an error of the script.
    static <T> T told(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw ScriptRuntime.typeError(String.valueOf(e.getMessage()));
        }
    }
}
