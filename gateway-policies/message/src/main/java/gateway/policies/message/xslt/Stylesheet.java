package gateway.policies.message.xslt;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// A stylesheet that is compiled anew when it has met so many names or namespaces that they fill the memory: who sends
/// messages
/// chooses the names in them.
final class Stylesheet {
    private final StylesheetDocuments documents;
    private final AtomicBoolean renewing = new AtomicBoolean();
    private volatile CompiledStylesheet current;

    private Stylesheet(StylesheetDocuments documents, CompiledStylesheet first) {
        this.documents = documents;
        this.current = first;
    }

    /// @throws InvalidConfigException with what is wrong, each under the pointer of its document
    static Stylesheet of(StylesheetDocuments documents) {
        return new Stylesheet(documents, EngineNamespaces.ALL.lasting(() -> CompiledStylesheet.of(documents)));
    }

    /// For one transformation.
    CompiledStylesheet compiled() {
        CompiledStylesheet compiled = current;
        if (!compiled.isWorn() || !renewing.compareAndSet(false, true)) return compiled;
        try {
            if (current.isWorn()) current = CompiledStylesheet.of(documents);
            return current;
        } finally {
            renewing.set(false);
        }
    }

    /// @param given names of the parameters that a definition has values for
    /// @throws InvalidConfigException when it has no such ones, or others that it cannot do without
    void requireParameters(Set<String> given) {
        Map<String, Boolean> known = current.parameters();
        List<ConfigProblem> problems = new ArrayList<>();
        for (String each : given) {
            if (known.containsKey(each)) continue;
            problems.add(new ConfigProblem("/parameters", "the stylesheet has no parameter \"" + each + '"'));
        }
        known.forEach((name, required) -> {
            if (required && !given.contains(name)) {
                problems.add(new ConfigProblem("/parameters", "expected a value for \"" + name + '"'));
            }
        });
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
    }
}
