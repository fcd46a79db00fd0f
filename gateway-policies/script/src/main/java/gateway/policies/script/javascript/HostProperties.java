package gateway.policies.script.javascript;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The properties of an object of ours.
interface HostProperties {
    /// Its value; `Scriptable.NOT_FOUND` when there is none.
    @Nullable
    Object find(String name);

    /// @throws IllegalArgumentException when it may not be
    void set(String name, @Nullable Object value);

    /// @throws IllegalArgumentException when it may not be
    void remove(String name);

    List<String> names();
}
