package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.policies.standard.Cookies;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// The names of one policy's cookies, and how browsers are told to keep them: sent to this host alone, and never to a
/// script. `~` stands in no id of an API, so no other API's begin alike.
///
/// @param parts of the session
/// @param logins that are under way
/// @param finished the last logins
record GatewayCookies(boolean secure, String session, List<String> parts, List<String> logins, String finished) {
    /// Most cookies that a session is parted into.
    static final int PARTS = 4;

    /// Most logins at once.
    static final int LOGINS = 5;

    private static final String HOST = "__Host-";

    GatewayCookies {
        parts = List.copyOf(parts);
        logins = List.copyOf(logins);
    }

    /// @param secure whether they go over TLS: on this machine they need not, and browsers then refuse the prefix
    static GatewayCookies of(String name, boolean secure) {
        String own = secure ? name : plain(name);
        return new GatewayCookies(
                secure,
                own,
                IntStream.range(0, PARTS)
                        .mapToObj(part -> part == 0 ? own : own + '~' + part)
                        .toList(),
                IntStream.range(0, LOGINS)
                        .mapToObj(slot -> own + "~login" + slot)
                        .toList(),
                own + "~done");
    }

    private static String plain(String name) {
        return name.startsWith(HOST) ? name.substring(HOST.length()) : name;
    }

    /// A line of `Set-Cookie` for a cookie that goes with the browser.
    String kept(String name, String value) {
        return name + '=' + value + "; Path=/; HttpOnly; SameSite=Lax" + (secure ? "; Secure" : "");
    }

    String keptFor(String name, String value, Duration life) {
        return kept(name, value) + "; Max-Age=" + life.toSeconds();
    }

    String gone(String name) {
        return keptFor(name, "", Duration.ZERO);
    }

    /// Those of the session that the browser has shown, to be forgotten.
    ///
    /// @param from the first part that is no more
    List<String> goneParts(Exchange exchange, int from) {
        return parts.subList(from, PARTS).stream()
                .filter(name -> exchange.cookie(name).isPresent())
                .map(this::gone)
                .toList();
    }

    /// None of them is the upstream's, whichever way they came.
    void strip(Headers headers) {
        String ours = plain(session);
        Cookies.removeIf(headers, name -> isOurs(name, ours));
    }

    private static boolean isOurs(String name, String ours) {
        int from = name.startsWith(HOST) ? HOST.length() : 0;
        int end = from + ours.length();
        return name.startsWith(ours, from) && (name.length() == end || name.charAt(end) == '~');
    }
}
