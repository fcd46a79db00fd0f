package gateway.policy;

import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.json.Suggestion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// The names that templates know, and what they stand for. What has no value is empty text.
final class Placeholders {
    private static final String HEADER = "request.header.";
    private static final String PARAMETER = "request.query.";
    private static final String COOKIE = "request.cookie.";
    private static final String SEGMENT = "request.path.";
    private static final String BODY = "request.body:";
    private static final String ANSWERED = "response.header.";
    private static final String METADATA = "key.metadata.";
    private static final String FACT = "fact:";
    private static final String CLAIM = "claim:";

    private Placeholders() {}

    /// @param own names that this place knows besides, each for a fact
    static Function<Exchange, String> read(String name, ConfigNode node, Map<String, JsonPointer> own) {
        JsonPointer place = own.get(name);
        return place == null ? read(name, node, own.keySet()) : fact(place);
    }

    private static Function<Exchange, String> read(String name, ConfigNode node, Set<String> own) {
        if (name.startsWith(HEADER) && HeaderText.isToken(name.substring(HEADER.length()))) {
            String header = name.substring(HEADER.length());
            return exchange -> exchange.headers().first(header).orElse("");
        }
        if (isBelow(PARAMETER, name)) {
            String parameter = name.substring(PARAMETER.length());
            return exchange -> exchange.queryParameter(parameter).orElse("");
        }
        if (name.startsWith(COOKIE) && HeaderText.isToken(name.substring(COOKIE.length()))) {
            String cookie = name.substring(COOKIE.length());
            return exchange -> exchange.cookie(cookie).orElse("");
        }
        if (isBelow(SEGMENT, name)) {
            String segment = name.substring(SEGMENT.length());
            return exchange -> exchange.pathParameter(segment).orElse("");
        }
        return found(name, node, own);
    }

    private static Function<Exchange, String> found(String name, ConfigNode node, Set<String> own) {
        if (name.startsWith(ANSWERED) && HeaderText.isToken(name.substring(ANSWERED.length()))) {
            String header = name.substring(ANSWERED.length());
            return exchange -> of(
                    exchange.answer(), answer -> answer.headers().first(header).orElse(""));
        }
        if (name.startsWith(BODY + '/')) {
            JsonPointer place = JsonPointer.compile(name.substring(BODY.length()));
            return exchange -> of(RequestJson.of(exchange), json -> text(json.at(place)));
        }
        if (isBelow(METADATA, name)) {
            String member = name.substring(METADATA.length());
            return exchange ->
                    of(exchange.consumer(), caller -> caller.metadata().getOrDefault(member, ""));
        }
        if (name.startsWith(FACT + "/")) return fact(JsonPointer.compile(name.substring(FACT.length())));
        if (name.startsWith(CLAIM + "/")) {
            JsonPointer claim = JsonPointer.compile(name.substring(CLAIM.length()));
            return fact(JsonPointer.empty().appendProperty(Exchange.CLAIMS).append(claim));
        }
        if (Variables.isName(name)) return fact(Variables.place(name));
        return known(name, node, own);
    }

    private static boolean isBelow(String prefix, String name) {
        return name.startsWith(prefix) && name.length() > prefix.length();
    }

    private static Function<Exchange, String> fact(JsonPointer place) {
        return exchange -> exchange.fact(place).map(Placeholders::text).orElse("");
    }

    private static Function<Exchange, String> known(String name, ConfigNode node, Set<String> own) {
        return KnownValues.byName(name).orElseGet(() -> unknown(name, node, own));
    }

    private static Function<Exchange, String> unknown(String name, ConfigNode node, Set<String> own) {
        List<String> known = Stream.concat(own.stream().sorted(), KnownValues.names().stream())
                .toList();
        String help = Suggestion.nearest(name, known)
                .map(near -> "; did you mean \"{" + near + "}\"?")
                .orElse(
                        "; known are " + String.join(", ", known)
                                + ", request.header.<name>, request.query.<name>, request.cookie.<name>, request.path.<name>,"
                                + " response.header.<name>, key.metadata.<name>, claim:/<pointer>, fact:/<pointer>, var.<name>");
        node.problem("unknown placeholder \"{" + name + "}\"" + help);
        return exchange -> "";
    }

    /// Whether it asks for a place of the request's body.
    static boolean isOfBody(String name) {
        return name.startsWith(BODY);
    }

    private static String text(JsonNode fact) {
        return fact.isValueNode() && !fact.isNull() ? fact.asString() : "";
    }

    private static <T> String of(Optional<T> holder, Function<T, String> what) {
        return holder.isPresent() ? what.apply(holder.get()) : "";
    }
}
