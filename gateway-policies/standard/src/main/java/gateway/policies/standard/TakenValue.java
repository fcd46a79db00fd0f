package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import gateway.policy.TemplatePlace;
import gateway.policy.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// A value of an answer, and where it goes: into a variable, a header of the message, or the query of a request.
sealed interface TakenValue {
    int MOST = 32;
    Pattern NAMES = Pattern.compile(Variables.FORM.pattern() + "|header\\." + HeaderText.TOKEN_FORM.pattern()
            + "|query\\.[A-Za-z0-9_.~-]{1,100}");
    String HEADER = "header.";
    String QUERY = "query.";

    /// Of the variable, header or parameter.
    String name();

    JsonPointer from();

    record Variable(String name, JsonPointer from) implements TakenValue {}

    record Header(String name, JsonPointer from) implements TakenValue {}

    /// A parameter, in place of all of that name.
    record Parameter(String name, JsonPointer from) implements TakenValue {}

    static List<TakenValue> readAll(ConfigNode node) {
        var taken = new ArrayList<TakenValue>();
        node.namesLike(NAMES).map(CallVerdict::requiredPointer).forEach((name, from) -> {
            if (Variables.isName(name)) taken.add(new Variable(Variables.bare(name), from));
            else if (name.startsWith(QUERY) && NAMES.matcher(name).matches())
                taken.add(new Parameter(name.substring(QUERY.length()), from));
            else if (name.startsWith(HEADER)) {
                WritableHeader.checkName(name.substring(HEADER.length()), node.field(name));
                taken.add(new Header(name.substring(HEADER.length()), from));
            } else if (node.field(name).isPresent())
                node.field(name)
                        .problem("expected \"var.name\", \"header.Name\" or \"query.name\", got \"" + name + '"');
        });
        node.extent(0, MOST);
        if (taken.size() > MOST) node.problem("expected at most " + MOST + " values, got " + taken.size());
        return taken;
    }

    /// Nothing is there that the client has put there himself, whatever becomes of the call.
    default void clear(Exchange exchange, Headers fields) {
        switch (this) {
            case Variable(var name, var _) -> exchange.variable(name, "");
            case Header(var name, var _) -> fields.remove(name);
            case Parameter(var name, var _) -> exchange.outgoing().removeQueryParameter(name);
        }
    }

    default void put(JsonNode answer, Exchange exchange, Headers fields) {
        String value = text(answer.at(from()));
        if (value.isEmpty()) return;
        switch (this) {
            case Variable(var name, var _) -> exchange.variable(name, value);
            case Header(var name, var _) -> fields.set(name, TemplatePlace.HEADER.escaped(value));
            case Parameter(var name, var _) -> exchange.outgoing().addQueryParameter(name, value);
        }
    }

    private static String text(JsonNode value) {
        if (!value.isValueNode() || value.isNull()) return "";
        return Variables.bounded(value.asString());
    }
}
