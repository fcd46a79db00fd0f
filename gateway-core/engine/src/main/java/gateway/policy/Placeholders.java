package gateway.policy;

import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.json.Suggestion;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// The names that templates know, and what they stand for. What has no value is empty text.
final class Placeholders {
    private static final List<String> KNOWN = List.of(
            "request.id",
            "request.method",
            "request.path",
            "request.host",
            "request.scheme",
            "client.ip",
            "key.id",
            "key.name",
            "api.id");
    private static final String HEADER = "request.header.";
    private static final String METADATA = "key.metadata.";
    private static final String FACT = "fact:";

    private Placeholders() {}

    static Function<Exchange, String> read(String name, ConfigNode node) {
        if (name.startsWith(HEADER) && HeaderText.isToken(name.substring(HEADER.length()))) {
            String header = name.substring(HEADER.length());
            return exchange -> exchange.headers().first(header).orElse("");
        }
        if (name.startsWith(METADATA) && name.length() > METADATA.length()) {
            String member = name.substring(METADATA.length());
            return exchange ->
                    of(exchange.consumer(), caller -> caller.metadata().getOrDefault(member, ""));
        }
        if (name.startsWith(FACT + "/")) {
            JsonPointer place = JsonPointer.compile(name.substring(FACT.length()));
            return exchange -> exchange.fact(place).map(Placeholders::text).orElse("");
        }
        return switch (name) {
            case "request.id" -> Exchange::requestId;
            case "request.method" -> Exchange::method;
            case "request.path" -> Exchange::rawPath;
            case "request.host" -> Exchange::host;
            case "request.scheme" -> Exchange::scheme;
            case "client.ip" -> exchange -> exchange.clientAddress().getHostAddress();
            case "key.id" -> exchange -> of(exchange.consumer(), Consumer::id);
            case "key.name" -> exchange -> of(exchange.consumer(), Consumer::name);
            case "api.id" -> Exchange::api;
            default -> unknown(name, node);
        };
    }

    private static Function<Exchange, String> unknown(String name, ConfigNode node) {
        String help = Suggestion.nearest(name, KNOWN)
                .map(near -> "; did you mean \"{" + near + "}\"?")
                .orElse("; known are " + String.join(", ", KNOWN)
                        + ", request.header.<name>, key.metadata.<name>, fact:/<pointer>");
        node.problem("unknown placeholder \"{" + name + "}\"" + help);
        return exchange -> "";
    }

    private static String text(JsonNode fact) {
        return fact.isValueNode() && !fact.isNull() ? fact.asString() : "";
    }

    private static String of(Optional<Consumer> caller, Function<Consumer, String> what) {
        return caller.isPresent() ? what.apply(caller.get()) : "";
    }
}
