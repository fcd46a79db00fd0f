package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import java.util.Optional;
import java.util.regex.Pattern;

/// Whom a `ban` counts and keeps out.
sealed interface BannedBy {
    /// Each client address, an IPv6 one by its /64.
    record Ip() implements BannedBy {}

    /// Each caller that an authentication has named.
    record Key() implements BannedBy {}

    /// Each value of a request header. Requests without it are nobody's.
    record Header(String name) implements BannedBy {}

    Pattern FORM = Pattern.compile("ip|key|header:" + HeaderText.REQUEST_NAME_FORM.pattern());

    static BannedBy read(ConfigNode node) {
        String text = node.like(FORM).text("ip");
        if (text.equals("ip")) return new Ip();
        if (text.equals("key")) return new Key();
        String name = text.startsWith("header:") ? text.substring("header:".length()) : "";
        if (HeaderText.isRequestName(name)) return new Header(name);
        if (HeaderText.isToken(name)) node.problem(HeaderText.requestNameFlaw(name));
        else node.problem("expected \"ip\", \"key\" or \"header:<name>\", got \"" + text + "\"");
        return new Ip();
    }

    /// Whose request it is, as it comes in: policies that follow take credentials out of it. Bounded, without spaces,
    /// and of headers no more than a hash: what they hold may be a secret, and operators are shown subjects.
    default Optional<String> subject(Exchange exchange) {
        return switch (this) {
            case Ip() -> Optional.of(CountedBy.address(exchange.clientAddress()));
            case Key() -> exchange.consumer().map(caller -> "key:" + CountedBy.bounded(caller.id()));
            case Header(String name) -> exchange.headers().first(name).map(value -> "header:#" + CountedBy.hash(value));
        };
    }
}
