package gateway.policies.script.javascript;

import gateway.policies.script.run.ScriptTexts;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/// Texts by name: headers, a query, cookies, variables.
record TextProperties(ScriptTexts texts) implements HostProperties {
    @Override
    public Object find(String name) {
        Optional<String> found = texts.find(name);
        return found.isPresent() ? found.get() : Scriptable.NOT_FOUND;
    }

    /// Nothing in the place of a text takes it out.
    @Override
    public void set(String name, @Nullable Object value) {
        if (value == null || Undefined.isUndefined(value)) texts.remove(name);
        else texts.set(name, ScriptRuntime.toString(value));
    }

    @Override
    public void remove(String name) {
        texts.remove(name);
    }

    @Override
    public List<String> names() {
        return texts.names();
    }
}
