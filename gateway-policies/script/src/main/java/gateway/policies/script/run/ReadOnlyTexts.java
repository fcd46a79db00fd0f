package gateway.policies.script.run;

import java.util.List;
import java.util.Optional;

/// Texts of a request that has gone: to be read, since a change would change nothing.
record ReadOnlyTexts(ScriptTexts texts) implements ScriptTexts {
    @Override
    public Optional<String> find(String name) {
        return texts.find(name);
    }

    @Override
    public void set(String name, String value) {
        throw new IllegalArgumentException("the request has gone: it is read only");
    }

    @Override
    public void remove(String name) {
        throw new IllegalArgumentException("the request has gone: it is read only");
    }

    @Override
    public List<String> names() {
        return texts.names();
    }
}
