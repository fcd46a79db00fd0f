package gateway.wire.http1;

/// What the request line asks for, as it was sent.
///
/// @param authority of a target in absolute form; empty for all others
/// @param path without scheme and authority; `/` when the target has none, `*` when that is the target
/// @param query what follows the first `?`; empty when nothing does
public record SentTarget(String authority, String path, String query) {
    /// The path of `OPTIONS` that asks what the server can do, not what is at one place of it.
    public static final String SERVER = "*";

    /// The root, without a query.
    public static final SentTarget ROOT = new SentTarget("", "/", "");

    /// The same with another path.
    public SentTarget at(String other) {
        return new SentTarget(authority, other, query);
    }

    /// @param target in origin form, in absolute form, or `*`
    public static SentTarget of(String target) {
        int question = target.indexOf('?');
        int end = question < 0 ? target.length() : question;
        String query = question < 0 ? "" : target.substring(question + 1);
        int scheme = target.charAt(0) == '/' ? -1 : target.substring(0, end).indexOf("://");
        if (scheme < 0) return new SentTarget("", target.substring(0, end), query);
        int from = scheme + 3;
        int path = target.indexOf('/', from, end);
        if (path < 0) return new SentTarget(target.substring(from, end), "/", query);
        return new SentTarget(target.substring(from, path), target.substring(path, end), query);
    }
}
