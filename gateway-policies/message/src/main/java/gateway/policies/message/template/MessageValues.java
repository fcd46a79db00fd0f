package gateway.policies.message.template;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.policy.KnownValues;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// The values of one message by name, looked up as a template asks for them.
final class MessageValues {
    private static final JsonPointer FACTS = JsonPointer.empty();
    private static final JsonPointer CLAIMS = FACTS.appendProperty(Exchange.CLAIMS);
    private static final JsonPointer VARIABLES = FACTS.appendProperty(Exchange.VARIABLES);

    /// A text has no members: its segments go by the whole name, which a template asks for first.
    private static final String SEGMENT = "path.";

    private final Exchange exchange;
    private final TemplateEffort effort;

    private MessageValues(Exchange exchange, TemplateEffort effort) {
        this.exchange = exchange;
        this.effort = effort;
    }

    /// @param body null where it has none that is JSON
    static ShownValue ofRequest(Exchange exchange, @Nullable JsonNode body, TemplateEffort effort) {
        return new MessageValues(exchange, effort).shown(body, null);
    }

    /// @param body null where it has none that is JSON
    static ShownValue ofAnswer(Exchange exchange, @Nullable JsonNode body, Response response, TemplateEffort effort) {
        return new MessageValues(exchange, effort).shown(body, response);
    }

    private ShownValue shown(@Nullable JsonNode body, @Nullable Response response) {
        return new ShownValue.Named(name -> named(name, body, response));
    }

    private @Nullable Object named(String name, @Nullable JsonNode body, @Nullable Response response) {
        effort.lookUp(); // nothing further in has it
        return switch (name) {
            case "request" -> new ShownValue.Named(this::request);
            case "response" -> response == null ? null : new ShownValue.Named(part -> response(response, part));
            case "key" -> new ShownValue.Named(this::key);
            case "client", "certificate", "api", "time", "random" ->
                new ShownValue.Named(part -> known(name + '.' + part));
            case "claims" -> fact(CLAIMS);
            case "var" -> fact(VARIABLES);
            case "fact" -> fact(FACTS);
            case "body" -> body == null ? null : ShownValue.of(body, effort);
            default -> name.startsWith("request." + SEGMENT) ? request(name.substring("request.".length())) : null;
        };
    }

    private @Nullable Object request(String name) {
        return switch (name) {
            case "header" -> fields(exchange.headers());
            case "query" ->
                new ShownValue.Named(each -> exchange.queryParameter(each).orElse(null));
            case "cookie" -> new ShownValue.Named(each -> exchange.cookie(each).orElse(null));
            default ->
                name.startsWith(SEGMENT)
                        ? exchange.pathParameter(name.substring(SEGMENT.length()))
                                .orElse(null)
                        : known("request." + name);
        };
    }

    private static @Nullable Object response(Response response, String name) {
        return switch (name) {
            case "status" -> response.status();
            case "header" -> fields(response.headers());
            default -> null;
        };
    }

    private @Nullable Object key(String name) {
        return name.equals("metadata") ? new ShownValue.Named(this::metadata) : known("key." + name);
    }

    private @Nullable Object metadata(String name) {
        return exchange.consumer().isPresent()
                ? exchange.consumer().get().metadata().get(name)
                : null;
    }

    private @Nullable Object known(String name) {
        Optional<Function<Exchange, String>> value = KnownValues.byName(name);
        if (value.isEmpty()) return null;
        String text = value.get().apply(exchange);
        return text.isEmpty() ? null : text;
    }

    private static ShownValue fields(Headers fields) {
        return new ShownValue.Named(name -> fields.first(name).orElse(null));
    }

    private @Nullable Object fact(JsonPointer place) {
        return exchange.fact(place).isPresent()
                ? ShownValue.of(exchange.fact(place).get(), effort)
                : null;
    }
}
