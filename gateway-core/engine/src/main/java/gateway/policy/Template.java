package gateway.policy;

import gateway.http.Exchange;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;

/// A text of a definition with placeholders such as `{key.metadata.plan}`, compiled when read. `{{` stands for one
/// brace.
///
/// What has no value is empty text, and values are escaped for where the text goes: no caller can leave the place that
/// the definition gives him.
public final class Template {
    private static final String IN_A_COOKIE =
            "{" + JsonSchema.pattern(Pattern.compile("([!#-+\\--:<-\\[\\]-~]|\\{[^}]*\\})*")) + "}";
    private static final String IN_A_HEADER = "{" + JsonSchema.pattern(Pattern.compile("[\\t -~\\x80-\\xff]*")) + "}";

    private final List<Function<Exchange, String>> parts;
    private final String text;
    private final boolean constant;
    private final String shown;
    private final List<String> placeholders;

    private Template(Secret secret) {
        this.parts = List.of();
        this.placeholders = List.of();
        this.text = secret.reveal();
        this.constant = true;
        this.shown = secret.toString();
    }

    private Template(List<Function<Exchange, String>> parts, String text, boolean constant, List<String> placeholders) {
        this.parts = List.copyOf(parts);
        this.placeholders = List.copyOf(placeholders);
        this.text = text;
        this.constant = constant;
        this.shown = text;
    }

    /// Unknown placeholders, and text that may not stand at `place`, are problems of `node`.
    public static Template read(ConfigNode node, TemplatePlace place) {
        return read(node.requiredText(), node, place);
    }

    /// The same of a part of a text that stands at `node`.
    public static Template read(String text, ConfigNode node, TemplatePlace place) {
        return read(text, node, place, Map.of());
    }

    /// The same with more placeholders.
    ///
    /// @param own names that this text alone may have, each with the fact that it stands for
    public static Template read(String text, ConfigNode node, TemplatePlace place, Map<String, JsonPointer> own) {
        Template read = checked(text, node, place, own);
        if (read.readsBody())
            node.problem("expected no place of the body, which nobody holds here: let \"tag\" leave it in a variable");
        return read;
    }

    /// A text that may hold places of the request's JSON body as well, such as `{request.body:/tenant}`. Whose
    /// it is asks for [Condition#BODY] where it [does][#readsBody].
    public static Template readWithBody(ConfigNode node, TemplatePlace place) {
        return checked(node.requiredText(), node, place, Map.of());
    }

    private static Template checked(String text, ConfigNode node, TemplatePlace place, Map<String, JsonPointer> own) {
        if (place == TemplatePlace.HEADER) node.obeys(IN_A_HEADER);
        if (place == TemplatePlace.COOKIE) node.obeys(IN_A_COOKIE);
        if (!place.takes(text)) node.problem(place.flaw(text));
        return compile(text, node, place, own);
    }

    /// A secret as the whole text; empty when it holds what may not stand at `place`. It prints as `***`.
    public static Optional<Template> hidden(Secret secret, TemplatePlace place) {
        return place.takes(secret.reveal()) ? Optional.of(new Template(secret)) : Optional.empty();
    }

    private static Template compile(String text, ConfigNode node, TemplatePlace place, Map<String, JsonPointer> own) {
        var parts = new ArrayList<Function<Exchange, String>>();
        var names = new ArrayList<String>();
        var literal = new StringBuilder();
        var reached = new PlaceInText(place, text);
        reached.flaw().ifPresent(node::problem);
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
            reached.pass(literal.toString());
            addLiteral(literal, parts);
            String name = text.substring(at + 1, end);
            reached.flaw('{' + name + '}').ifPresent(node::problem);
            names.add(name);
            parts.add(Placeholders.read(name, node, own).andThen(place.within(name)::escaped));
            at = end + 1;
        }
        if (parts.isEmpty()) return new Template(List.of(), literal.toString(), true, List.of());
        addLiteral(literal, parts);
        return new Template(parts, text, false, names);
    }

    /// The text for one request; empty when nothing of it is known.
    public String render(Exchange exchange) {
        if (constant) return text;
        if (parts.size() == 1) return parts.getFirst().apply(exchange);
        var value = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) value.append(parts.get(i).apply(exchange));
        return value.toString();
    }

    /// The same of a path. What comes out empty at its end is written as the empty segment that it is, which no path
    /// may hold: `/users/` is another place than `/users/7`.
    public String path(Exchange exchange) {
        String path = render(exchange);
        boolean cut = !constant
                && path.endsWith("/")
                && parts.getLast().apply(exchange).isEmpty();
        return cut ? path + '/' : path;
    }

    /// The same, unless it gets longer than `most` characters: values come from requests and are as long as these are.
    public Optional<String> render(Exchange exchange, int most) {
        var value = new StringBuilder(text.length());
        if (constant) value.append(text);
        for (Function<Exchange, String> part : parts) {
            String more = part.apply(exchange);
            if (value.length() + more.length() > most) return Optional.empty();
            value.append(more);
        }
        return Optional.of(value.toString());
    }

    /// What it asks for, in the order of the text, such as `request.id`.
    public List<String> placeholders() {
        return placeholders;
    }

    /// Whether it asks for places of the request's body.
    public boolean readsBody() {
        return placeholders.stream().anyMatch(Placeholders::isOfBody);
    }

    private static void addLiteral(StringBuilder literal, List<Function<Exchange, String>> parts) {
        if (literal.isEmpty()) return;
        String text = literal.toString();
        parts.add(exchange -> text);
        literal.setLength(0);
    }

    @Override
    public String toString() {
        return shown;
    }
}
