package gateway.policies.script.run;

import gateway.http.Headers;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// The fields of a message, by names without regard to case; of several lines the first is read.
///
/// @param changes is told the name of each that is set
record HeaderTexts(Headers headers, Consumer<String> changes) implements ScriptTexts {
    @Override
    public Optional<String> find(String name) {
        return headers.first(name);
    }

    @Override
    public void set(String name, String value) {
        ScriptTexts.checkHeader(name, value);
        headers.set(name, value);
        changes.accept(name);
    }

    @Override
    public void remove(String name) {
        ScriptTexts.checkHeader(name, "");
        headers.remove(name);
    }

    @Override
    public List<String> names() {
        var names = new LinkedHashSet<String>();
        headers.forEach((name, _) -> names.add(name.toLowerCase(Locale.ROOT)));
        return List.copyOf(names);
    }
}
