package gateway.policies.standard;

import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.json.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A header value with placeholders such as `{key.metadata.plan}`, compiled when read. `{{` stands for one brace.
///
/// What has no value is empty text; characters that may not stand in a header become `?`.
final class HeaderTemplate {
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

    private final List<Function<Exchange, String>> parts;
    private final String text;
    private final boolean constant;

    private HeaderTemplate(List<Function<Exchange, String>> parts, String text, boolean constant) {
        this.parts = List.copyOf(parts);
        this.text = text;
        this.constant = constant;
    }

    static HeaderTemplate read(ConfigNode node) {
        String text = node.requiredText();
        if (!HeaderText.isValue(text)) node.problem("expected only characters that may stand in a header");
        return compile(text, node);
    }

    private static HeaderTemplate compile(String text, ConfigNode node) {
        var parts = new ArrayList<Function<Exchange, String>>();
        var literal = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean escaped = c == '{' && text.startsWith("{{", at);
            if (c != '{' || escaped) {
                literal.append(c);
                at += escaped ? 2 : 1;
                continue;
            }
            int end = text.indexOf('}', at);
            if (end < 0) {
                node.problem("expected \"}\" after \"{\" at character " + (at + 1) + "; \"{{\" stands for one brace");
                break;
            }
            addLiteral(literal, parts);
            parts.add(placeholder(text.substring(at + 1, end), node));
            at = end + 1;
        }
        if (parts.isEmpty()) return new HeaderTemplate(List.of(), literal.toString(), true);
        addLiteral(literal, parts);
        return new HeaderTemplate(parts, text, false);
    }

    /// The value for one request; empty when nothing of it is known.
    String render(Exchange exchange) {
        if (constant) return text;
        if (parts.size() == 1) return clean(parts.getFirst().apply(exchange));
        var value = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) value.append(parts.get(i).apply(exchange));
        return clean(value.toString());
    }

    private static void addLiteral(StringBuilder literal, List<Function<Exchange, String>> parts) {
        if (literal.isEmpty()) return;
        String text = literal.toString();
        parts.add(exchange -> text);
        literal.setLength(0);
    }

    private static Function<Exchange, String> placeholder(String name, ConfigNode node) {
        if (name.startsWith(HEADER) && HeaderText.isToken(name.substring(HEADER.length()))) {
            String header = name.substring(HEADER.length());
            return exchange -> exchange.headers().first(header).orElse("");
        }
        if (name.startsWith(METADATA) && name.length() > METADATA.length()) {
            String member = name.substring(METADATA.length());
            return exchange ->
                    of(exchange.consumer(), caller -> caller.metadata().getOrDefault(member, ""));
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
                .orElse("; known are " + String.join(", ", KNOWN) + ", request.header.<name>, key.metadata.<name>");
        node.problem("unknown placeholder \"{" + name + "}\"" + help);
        return exchange -> "";
    }

    private static String of(Optional<Consumer> caller, Function<Consumer, String> what) {
        return caller.isPresent() ? what.apply(caller.get()) : "";
    }

    private static String clean(String value) {
        if (HeaderText.isValue(value)) return value;
        var clean = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean stands = c == '\t' || (c >= ' ' && c != 0x7f && c <= 0xff);
            clean.append(stands ? c : '?');
        }
        return clean.toString();
    }

    @Override
    public String toString() {
        return text;
    }
}
