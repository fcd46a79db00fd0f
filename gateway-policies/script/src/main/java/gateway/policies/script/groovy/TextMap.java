package gateway.policies.script.groovy;

import gateway.policies.script.run.ScriptTexts;
import java.util.AbstractMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Headers, a query, cookies or variables as a map, which changes what it is of.
final class TextMap extends AbstractMap<Object, Object> {
    private final ScriptTexts texts;

    TextMap(ScriptTexts texts) {
        this.texts = texts;
    }

    @Override
    public @Nullable String get(Object name) {
        return texts.find(String.valueOf(name)).orElse(null);
    }

    @Override
    public boolean containsKey(Object name) {
        return texts.find(String.valueOf(name)).isPresent();
    }

    /// Whatever it is, as a text: scripts put numbers, and texts that are put together when they are read. Nothing
    /// takes it out.
    @Override
    public @Nullable String put(Object name, @Nullable Object value) {
        String before = get(name);
        if (value == null) texts.remove(name.toString());
        else texts.set(name.toString(), value.toString());
        return before;
    }

    @Override
    public @Nullable String remove(Object name) {
        String before = get(name);
        texts.remove(String.valueOf(name));
        return before;
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
        var entries = new LinkedHashSet<Map.Entry<Object, Object>>();
        for (String name : texts.names())
            entries.add(Map.entry(name, texts.find(name).orElse("")));
        return entries;
    }
}
