package gateway.config;

import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import java.util.Optional;
import java.util.regex.Pattern;

/// What tells requests apart when those alike are to go to the same place: `ip`, `key`, `header:<name>` or
/// `cookie:<name>`.
///
/// @param name of the header or cookie; empty for the others
public record RequestTrait(Kind kind, String name) {
    /// Of what [#read] reads.
    static final Pattern FORM = Pattern.compile(
            "ip|key|header:" + HeaderText.REQUEST_NAME_FORM.pattern() + "|cookie:" + HeaderText.TOKEN_FORM.pattern());

    public static final RequestTrait IP = new RequestTrait(Kind.IP, "");

    public enum Kind {
        IP,
        KEY,
        HEADER,
        COOKIE
    }

    static RequestTrait read(ConfigNode node) {
        String text = node.like(FORM).requiredText();
        int colon = text.indexOf(':');
        String name = colon < 0 ? "" : text.substring(colon + 1);
        Optional<Kind> kind = kind(colon < 0 ? text : text.substring(0, colon + 1), name);
        if (kind.isPresent()) return new RequestTrait(kind.get(), name);
        if (text.startsWith("header:") && HeaderText.isToken(name)) {
            node.problem(HeaderText.requestNameFlaw(name));
        } else if (!text.isEmpty()) {
            node.problem("expected \"ip\", \"key\", \"header:<name>\" or \"cookie:<name>\", got \"" + text + "\"");
        }
        return IP;
    }

    private static Optional<Kind> kind(String word, String name) {
        return switch (word) {
            case "ip" -> Optional.of(Kind.IP);
            case "key" -> Optional.of(Kind.KEY);
            case "header:" -> Optional.of(Kind.HEADER).filter(kind -> HeaderText.isRequestName(name));
            case "cookie:" -> Optional.of(Kind.COOKIE).filter(kind -> HeaderText.isToken(name));
            default -> Optional.empty();
        };
    }

    /// The request's value; empty when it has none: no such header, no caller.
    public Optional<String> of(Exchange exchange) {
        return switch (kind) {
            case IP -> Optional.of(exchange.clientAddress().getHostAddress());
            case KEY -> exchange.consumer().map(Consumer::id);
            case HEADER -> exchange.headers().first(name);
            case COOKIE -> exchange.cookie(name);
        };
    }
}
