package gateway.policies.standard;

import gateway.http.CanonicalPath;
import gateway.http.Exchange;
import gateway.http.PathPattern;
import gateway.http.SentPath;
import gateway.json.ConfigNode;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import gateway.regex.Regex;
import java.util.Optional;
import java.util.stream.Stream;

/// What becomes of the path that the upstream would get. It is compared in its canonical form; what stays of it stays
/// as the client wrote it, byte for byte.
sealed interface PathRewrite {
    String TO = """
            {"if": {"required": ["prefix"], "properties": {"prefix": {"type": "string"}}},
             "then": {"required": ["to"], "properties": {"to": {"type": "string", "pattern": "^/"}}},
             "else": {"properties": {"to": {"pattern": "^[/$]"}}}}""";

    PathRewrite SAME = new Same();

    /// Percent-encoded, as it would be sent; empty when the request's path is none that this is for.
    Optional<String> of(Exchange exchange);

    /// All paths stay as they are.
    record Same() implements PathRewrite {
        @Override
        public Optional<String> of(Exchange exchange) {
            return Optional.of("");
        }
    }

    /// `to` in place of what a pattern covers.
    ///
    /// @param to without slash at its end; empty text for `/`
    record Prefix(PathPattern pattern, String to) implements PathRewrite {
        @Override
        public Optional<String> of(Exchange exchange) {
            String raw = exchange.outgoing().path();
            if (!pattern.covers(SentPath.of(raw).canonical())) return Optional.empty();
            String made = to.concat(raw.substring(pattern.matchedLength(raw)));
            return Optional.of(made.isEmpty() ? "/" : made);
        }
    }

    /// A path made of what a regular expression has captured.
    record Captures(Regex regex, Replacement to) implements PathRewrite {
        @Override
        public Optional<String> of(Exchange exchange) {
            SentPath sent = SentPath.of(exchange.outgoing().path());
            return regex.groups(sent.canonical()).map(groups -> to.filled(sent, groups));
        }
    }

    /// A path made of what is known of the request.
    record Made(Template template) implements PathRewrite {
        @Override
        public Optional<String> of(Exchange exchange) {
            return Optional.of(template.path(exchange));
        }
    }

    /// Of the regular expression that the path is matched against; 0 when there is none.
    static int instructions(PathRewrite rewrite) {
        return rewrite instanceof Captures(Regex regex, var _) ? regex.size() : 0;
    }

    static PathRewrite read(ConfigNode node) {
        if (!node.expectObject()) return SAME;
        ConfigNode prefix = node.field(
                        "prefix", "takes the place of this, on segment borders, `to`; this, `regex` or" + " `template`")
                .form("path with `{name}` for any one segment");
        ConfigNode regex = node.field("regex", "the whole path must match; `to` takes its place")
                .form("RE2 expression, bounded");
        ConfigNode template = node.field("template", "the path, with placeholders, each for one segment")
                .form("text with placeholders");
        ConfigNode to = node.field(
                "to",
                "with `prefix` a path; with `regex` one with `$1` or `${name}` for what a group has"
                        + " captured, `$$` for `$`");
        long ways =
                Stream.of(prefix, regex, template).filter(ConfigNode::isPresent).count();
        node.one("prefix", "regex", "template").apart("template", "to").obeys(TO);
        if (ways != 1) node.problem("expected one of \"prefix\", \"regex\" and \"template\", got " + ways);
        PathRewrite rewrite = SAME;
        if (prefix.isPresent()) rewrite = new Prefix(pattern(prefix), path(to));
        if (regex.isPresent()) rewrite = captures(Regex.read(regex, false), to);
        if (template.isPresent()) {
            if (to.isPresent()) to.problem("expected only with \"prefix\" or \"regex\"");
            rewrite = new Made(Template.read(template, TemplatePlace.PATH));
        }
        node.refuseUnknownFields();
        return rewrite;
    }

    /// Why it may not be sent.
    static Optional<String> flaw(CanonicalPath path) {
        return switch (path) {
            case CanonicalPath.Canonical _ -> Optional.empty();
            case CanonicalPath.Refused(String why) -> Optional.of(why);
        };
    }

    private static Captures captures(Regex regex, ConfigNode node) {
        Replacement to = Replacement.read(node, regex);
        return new Captures(regex, to);
    }

    private static PathPattern pattern(ConfigNode node) {
        String text = node.like(PathPattern.FORM).requiredText();
        var flaw = PathPattern.flaw(text);
        if (!text.isEmpty()) flaw.ifPresent(node::problem);
        return PathPattern.of(flaw.isPresent() ? "/" : text);
    }

    private static String path(ConfigNode node) {
        String text = node.requiredText();
        if (!text.isEmpty()) flaw(CanonicalPath.of(text)).ifPresent(flaw -> node.problem("expected a path: " + flaw));
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }
}
