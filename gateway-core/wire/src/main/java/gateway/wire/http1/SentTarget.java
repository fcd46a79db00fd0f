package gateway.wire.http1;

/// What the request line asks for, as it was sent.
///
/// @param path without scheme and authority; `/` when the target has none, `*` when that is the target
/// @param query what follows the first `?`; empty when nothing does
public record SentTarget(String path, String query) {
    /// The root, without a query.
    public static final SentTarget ROOT = new SentTarget("/", "");

    /// @param target in origin form, in absolute form, or `*`
    public static SentTarget of(String target) {
        int question = target.indexOf('?');
        int from = target.charAt(0) == '/' ? 0 : pathIn(target, question < 0 ? target.length() : question);
        if (question < 0) return new SentTarget(from < 0 ? "/" : target.substring(from), "");
        return new SentTarget(from < 0 ? "/" : target.substring(from, question), target.substring(question + 1));
    }

    /// Where the path of a target in absolute form begins; -1 when it has none.
    private static int pathIn(String target, int end) {
        int authority = target.indexOf("://");
        if (authority < 0) return 0;
        return target.indexOf('/', authority + 3, end);
    }
}
