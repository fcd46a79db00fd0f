package gateway.config;

/// What becomes of `;` parameters in the path of requests (RFC 3986 §3.3): a server that takes them off before it looks
/// reads another path than the one that rules and grants were held against.
///
/// @param chosen whether the definition says so
public record PathParameters(Use use, boolean chosen) {
    /// As they are where a definition says nothing and nothing is decided by the path.
    public static final PathParameters USUAL = new PathParameters(Use.KEEP, false);

    private static final PathParameters REFUSED = new PathParameters(Use.REFUSE, false);

    /// What an API does with them.
    public enum Use {
        /// Answered 400.
        REFUSE,
        /// Route, policies and upstream see the path without them.
        STRIP,
        /// Part of the path.
        KEEP
    }

    /// The same for an API whose policies decide by the path.
    PathParameters whereDecidedByPath() {
        return chosen ? this : REFUSED;
    }

    /// Whether something is to be done about `path`.
    ///
    /// @param path canonical, so that an encoded `;` counts too: servers differ in whether it begins parameters
    public boolean concern(String path) {
        return use != Use.KEEP && path.indexOf(';') >= 0;
    }

    /// Whether the definition says that its upstream reads a path with parameters as another one than without.
    public boolean areKeptByChoice() {
        return chosen && use == Use.KEEP;
    }

    /// Whether a path that they [#concern] is served without them.
    ///
    /// @param raw as sent
    public boolean strips(String raw) {
        return use == Use.STRIP && raw.indexOf(';') >= 0;
    }

    /// A path without its parameters.
    ///
    /// @param raw as sent
    public static String without(String raw) {
        var kept = new StringBuilder(raw.length());
        boolean within = false;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            within = c == ';' || (within && c != '/');
            if (!within) kept.append(c);
        }
        return kept.toString();
    }

    /// The path that a server reads which takes parameters off, also those that begin with an encoded `;`, and then
    /// the segments that are left empty.
    ///
    /// @param raw as sent
    public static String barest(String raw) {
        String bare = without(raw.replace("%3B", ";").replace("%3b", ";"));
        var kept = new StringBuilder(bare.length());
        for (int i = 0; i < bare.length(); i++) {
            char c = bare.charAt(i);
            if (c != '/' || kept.isEmpty() || kept.charAt(kept.length() - 1) != '/') kept.append(c);
        }
        return kept.toString();
    }
}
