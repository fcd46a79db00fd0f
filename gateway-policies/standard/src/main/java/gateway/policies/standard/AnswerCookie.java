package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// A cookie that answers set (RFC 6265 §4.1).
///
/// @param attributes behind its value, ready
record AnswerCookie(String name, Template value, String attributes) {
    private static final Pattern ATTRIBUTE = Pattern.compile("[!-:<-~]{1,1024}"); // no blank, no semicolon
    private static final Pattern FORM = Pattern.compile("[!-:<-~]{0,1024}");
    private static final String SECURE = """
            {"if": {"required": ["sameSite"], "properties": {"sameSite": {"const": "none"}}},
             "then": {"properties": {"secure": {"not": {"const": false}}}}}""";
    private static final Duration LONGEST = Duration.ofDays(400); // past which browsers cut it

    private enum SameSite {
        LAX,
        STRICT,
        NONE
    }

    static AnswerCookie read(ConfigNode node) {
        node.named("AnswerCookie", AnswerCookie::read);
        node.requireObject();
        String name = readName(node.field("name", "of the cookie"));
        ConfigNode field = node.field("value", "what placeholders stand for is percent-encoded")
                .form("text with placeholders");
        Template value = Template.read(field.text(), field, TemplatePlace.COOKIE);
        var attributes = new StringBuilder();
        attribute(node.field("path", "below which it is sent"), "/")
                .ifPresent(path -> attributes.append("; Path=").append(path));
        attribute(node.field("domain", "with whose hosts it is shared").unlessGiven("the host alone"), "")
                .ifPresent(domain -> attributes.append("; Domain=").append(domain));
        ConfigNode age =
                node.field("maxAge", "how long it lives; `0s`: it is deleted").unlessGiven("as the browser does");
        if (age.isPresent())
            attributes
                    .append("; Max-Age=")
                    .append(age.duration(Duration.ZERO, LONGEST).toSeconds());
        SameSite site = node.field("sameSite", "whether it goes along from pages of other sites")
                .choice(SameSite.LAX);
        boolean secure =
                node.field("secure", "whether it is sent over TLS alone").bool(true);
        if (site == SameSite.NONE && !secure)
            node.field("secure").expected("true with \"sameSite\" \"none\", as browsers do");
        boolean hostAlone = beginsWith(name, "__Host-");
        if (!secure && (hostAlone || beginsWith(name, "__Secure-")))
            node.field("secure").expected("true with this name, as browsers do");
        if (hostAlone && node.field("domain").isPresent())
            node.field("domain").expected("none with a name that begins with \"__Host-\"");
        if (hostAlone && !node.field("path").text("/").equals("/"))
            node.field("path").expected("\"/\" with a name that begins with \"__Host-\"");
        if (secure) attributes.append("; Secure");
        if (node.field("httpOnly", "whether scripts do not see it").bool(true)) attributes.append("; HttpOnly");
        attributes.append("; SameSite=").append(word(site));
        node.obeys(SECURE).refuseUnknownFields();
        return new AnswerCookie(name, value, attributes.toString());
    }

    /// As browsers look at what the name of a cookie promises (RFC 6265bis §5.4): in whatever case.
    private static boolean beginsWith(String name, String promise) {
        return name.regionMatches(true, 0, promise, 0, promise.length());
    }

    private static String word(SameSite site) {
        return switch (site) {
            case LAX -> "Lax";
            case STRICT -> "Strict";
            case NONE -> "None";
        };
    }

    static String readName(ConfigNode node) {
        String name = node.like(HeaderText.TOKEN_FORM).requiredText();
        if (!name.isEmpty() && !HeaderText.isToken(name))
            node.problem("expected a cookie's name, got \"" + name + "\"");
        return name;
    }

    private static Optional<String> attribute(ConfigNode node, String otherwise) {
        String text = node.like(FORM).text(otherwise);
        if (text.isEmpty()) return Optional.empty();
        if (!ATTRIBUTE.matcher(text).matches()) node.expected("text without blanks and \";\"");
        return Optional.of(text);
    }

    String line(Exchange exchange) {
        return name + '=' + value.render(exchange) + attributes;
    }
}
