package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyUrls;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The paths below the API that are the gateway's own, and where browsers may go from there.
///
/// @param callback where the provider sends browsers back to
/// @param logout where browsers go to log out
/// @param backChannel where the provider says that somebody has logged out
/// @param postLogout URLs that browsers may end at then
record LoginPlaces(String callback, Optional<String> logout, Optional<String> backChannel, List<URI> postLogout) {
    private static final Pattern PATH = Pattern.compile(
            "(/([A-Za-z0-9_~-][A-Za-z0-9._~-]*|\\.[A-Za-z0-9_~-][A-Za-z0-9._~-]*|\\.\\.[A-Za-z0-9._~-]+)){1,32}");
    private static final int LONGEST = 256;
    private static final int MOST_PLACES = 32;
    private static final int LONGEST_RETURN = 1_024;

    LoginPlaces {
        postLogout = List.copyOf(postLogout);
    }

    static LoginPlaces read(ConfigNode node) {
        var logout = node.field("logout", "path below the API to log out by");
        var back = node.field(
                "backChannelLogout", "path below the API where the provider ends sessions by `sid`; needs the store");
        var after = node.field("postLogout", "URLs where a browser may end after it, as `?return=` says; the first");
        List<URI> places = after.list(each ->
                KeyUrls.read(each.form("URL").obeys(KeyUrls.ALONE), false).orElse(URI.create("https://localhost")));
        after.extent(0, MOST_PLACES);
        if (places.size() > MOST_PLACES) after.problem("expected at most " + MOST_PLACES + ", got " + places.size());
        if (after.isPresent() && !logout.isPresent()) after.problem("expected only with \"logout\"");
        node.beside("logout", "postLogout");
        String callback = path(
                node.field("callback", "path below the API that the provider sends browsers back to"),
                "/.auth/callback");
        var read = new LoginPlaces(callback, optional(logout), optional(back), places);
        if (List.of(read.logout, read.backChannel).contains(Optional.of(callback))
                || (read.logout.isPresent() && read.logout.equals(read.backChannel))) {
            node.problem("expected different paths for \"callback\", \"logout\" and \"backChannelLogout\"");
        }
        return read;
    }

    private static Optional<String> optional(ConfigNode field) {
        return field.isPresent() ? Optional.of(path(field, "")) : Optional.empty();
    }

    private static String path(ConfigNode field, String usual) {
        field.form("path").like(PATH).extent(1, LONGEST);
        String path = field.isPresent() ? field.requiredText() : field.text(usual);
        boolean plain = PATH.matcher(path).matches() && path.length() <= LONGEST;
        boolean sound = plain && PathPattern.flaw(path).isEmpty();
        if (!sound && !path.isEmpty()) field.expected("a path such as \"/.auth/callback\"");
        return path;
    }

    /// Whether a request is for the gateway itself.
    boolean isOwn(String path) {
        return path.equals(callback) || isLogout(path) || isBackChannel(path);
    }

    boolean isLogout(String path) {
        return logout.isPresent() && logout.get().equals(path);
    }

    boolean isBackChannel(String path) {
        return backChannel.isPresent() && backChannel.get().equals(path);
    }

    /// Where the API begins, as the client wrote it: empty text, or a path without a slash at its end.
    static String prefix(Exchange exchange) {
        String path = exchange.path();
        String below = exchange.pathInApi();
        boolean all = below.equals("/") && !path.endsWith("/");
        int length = all ? path.length() : Math.max(0, path.length() - below.length());
        int segments = 0;
        for (int i = 0; i < length; i++) if (path.charAt(i) == '/') segments++;
        String raw = exchange.rawPath();
        int end = 0;
        for (int i = 0; i < segments; i++) {
            int slash = raw.indexOf('/', end + 1);
            end = slash < 0 ? raw.length() : slash;
        }
        return raw.substring(0, end);
    }

    /// Where a request wanted to go, as a path on the same host; where the API begins when that cannot be said in one.
    static String wanted(Exchange exchange) {
        String query = exchange.head().query();
        String place = query.isEmpty() ? exchange.rawPath() : exchange.rawPath() + '?' + query;
        return isPath(place) ? place : home(exchange);
    }

    /// Where the API begins.
    static String home(Exchange exchange) {
        String prefix = prefix(exchange);
        return isPath(prefix) ? prefix : "/";
    }

    /// Whether browsers take it for a path on the same host: `//host` and `/\host` they do not.
    static boolean isPath(String place) {
        if (!place.startsWith("/") || place.startsWith("//") || place.length() > LONGEST_RETURN) return false;
        for (int i = 0; i < place.length(); i++) {
            char c = place.charAt(i);
            if (c <= ' ' || c > '~' || c == '\\') return false;
        }
        return true;
    }

    /// Where a browser ends that has logged out.
    ///
    /// @param wished what it asked for: one of the list, letter by letter, or nothing
    Optional<URI> after(Optional<String> wished) {
        for (URI each : postLogout) {
            if (wished.isPresent() && each.toString().equals(wished.get())) return Optional.of(each);
        }
        return postLogout.stream().findFirst();
    }
}
