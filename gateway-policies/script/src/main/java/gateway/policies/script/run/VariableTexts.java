package gateway.policies.script.run;

import gateway.http.Exchange;
import gateway.policy.Variables;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// The variables of a request, as the policy `tag` sets them too.
record VariableTexts(Exchange exchange) implements ScriptTexts {
    private static final int LONGEST = 8 * 1024; // of a value: it may go to records and headers
    private static final int MOST = 100;
    private static final String PREFIX = "var.";
    private static final JsonPointer ALL = JsonPointer.empty().appendProperty(Exchange.VARIABLES);

    @Override
    public Optional<String> find(String name) {
        return exchange.fact(ALL.appendProperty(name)).map(JsonNode::asString);
    }

    @Override
    public void set(String name, String value) {
        if (!Variables.isName(PREFIX + name))
            throw new IllegalArgumentException("expected a variable of letters, digits, '_' and '-'");
        if (value.length() > LONGEST)
            throw new IllegalArgumentException("vars." + name + ": expected at most " + LONGEST + " characters");
        if (names().size() >= MOST && find(name).isEmpty())
            throw new IllegalArgumentException("expected at most " + MOST + " variables");
        exchange.variable(name, value);
    }

    @Override
    public void remove(String name) {
        throw new IllegalArgumentException("variables stay: set another value");
    }

    @Override
    public List<String> names() {
        return exchange.fact(ALL).stream()
                .flatMap(all -> all.propertyStream().map(java.util.Map.Entry::getKey))
                .toList();
    }
}
