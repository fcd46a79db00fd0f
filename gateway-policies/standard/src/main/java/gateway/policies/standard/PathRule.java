package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.MethodList;
import gateway.http.MethodNames;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import gateway.regex.Regex;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Some of an API's requests, by method and path below the API.
///
/// @param methods empty: every method, see [MethodList]
/// @param ignoreCase the path is compared in lower case; `paths` is in lower case already
record PathRule(Set<String> methods, Paths paths, boolean ignoreCase) {
    PathRule {
        methods = Set.copyOf(methods);
    }

    /// Which paths; all are canonical.
    sealed interface Paths {
        /// The pattern's own path and everything below it.
        record Below(PathPattern pattern) implements Paths {}

        /// The pattern's own path, with or without a slash at its end.
        record Exactly(PathPattern pattern) implements Paths {}

        /// Paths that a regular expression matches from begin to end.
        record Matching(Regex regex) implements Paths {}
    }

    static PathRule read(ConfigNode node, boolean ignoreCase) {
        node.named("PathRule", here -> read(here, ignoreCase));
        node.requireObject();
        var rule = readFields(node, ignoreCase);
        var path = node.field("path");
        node.one("path", "regex").beside("path", "exact");
        if (path.isPresent() && node.field("regex").isPresent()) {
            node.field("regex").problem("expected either \"path\" or \"regex\", got both");
        }
        node.refuseUnknownFields();
        return rule;
    }

    private static PathRule readFields(ConfigNode node, boolean ignoreCase) {
        var regex =
                node.field("regex", "the whole path must match; this or `path`").form("RE2 expression, bounded");
        var path = node.field(
                        "path",
                        "the path and all below it, on segment borders: `/admin` covers `/admin/x`, not `/adminx`; this or `regex`")
                .form("path with `{name}` for any one segment");
        var exact = node.field("exact", "only the path itself, with or without a slash at its end");
        if (regex.isPresent() && exact.isPresent()) exact.problem("expected only with \"path\"");
        Set<String> methods =
                new HashSet<>(node.field("methods", "`GET` stands for `HEAD` too; `HEAD` alone is only `HEAD`")
                        .form("methods")
                        .unlessGiven("every method")
                        .list(MethodNames::read));
        boolean isExact = exact.bool(false);
        if (regex.isPresent())
            return new PathRule(methods, new Paths.Matching(Regex.read(regex, ignoreCase)), ignoreCase);
        PathPattern pattern = pattern(path, ignoreCase);
        return new PathRule(methods, isExact ? new Paths.Exactly(pattern) : new Paths.Below(pattern), ignoreCase);
    }

    /// Of the regular expressions of all `rules`.
    static long instructions(List<PathRule> rules) {
        long sum = 0;
        for (PathRule rule : rules) if (rule.paths instanceof Paths.Matching(Regex regex)) sum += regex.size();
        return sum;
    }

    boolean covers(Exchange exchange) {
        if (!MethodList.covers(methods, exchange.method())) return false;
        String path = exchange.pathInApi();
        String compared = ignoreCase ? path.toLowerCase(Locale.ROOT) : path;
        return switch (paths) {
            case Paths.Below(PathPattern pattern) -> pattern.covers(compared);
            case Paths.Exactly(PathPattern pattern) -> pattern.equalsPath(withoutSlashAtEnd(compared));
            case Paths.Matching(Regex regex) -> regex.matches(compared);
        };
    }

    /// Whether one of `rules` covers the request.
    static boolean anyCovers(List<PathRule> rules, Exchange exchange) {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).covers(exchange)) return true;
        }
        return false;
    }

    private static String withoutSlashAtEnd(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static PathPattern pattern(ConfigNode node, boolean ignoreCase) {
        String text = node.like(PathPattern.FORM).requiredText();
        var flaw = PathPattern.flaw(text);
        if (!text.isEmpty()) flaw.ifPresent(node::problem);
        if (flaw.isPresent()) return PathPattern.of("/");
        return PathPattern.of(ignoreCase ? literalsInLowerCase(text) : text);
    }

    /// Lower case throughout, unless that makes two bound names one; names bind nothing here.
    private static String literalsInLowerCase(String text) {
        var lower = new StringBuilder();
        int names = 0;
        for (String segment : PathPattern.of(text).segments()) {
            lower.append('/');
            if (PathPattern.isParameter(segment))
                lower.append("{p").append(names++).append('}');
            else lower.append(segment.toLowerCase(Locale.ROOT));
        }
        return lower.isEmpty() ? "/" : lower.toString();
    }
}
