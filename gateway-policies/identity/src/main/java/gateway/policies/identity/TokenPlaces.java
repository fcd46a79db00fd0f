package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.http.Query;
import gateway.json.ConfigNode;
import gateway.policies.standard.Cookies;
import gateway.policy.CredentialFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where in a request a token stands.
///
/// @param scheme before the token in `header`; empty text: nothing stands there
record TokenPlaces(Optional<String> cookie, Optional<String> query, Optional<String> header, String scheme) {
    private static final Pattern SCHEME = Pattern.compile("(" + HeaderText.TOKEN_FORM.pattern() + ")?");

    static TokenPlaces read(ConfigNode node) {
        var cookie = token(
                node.field("cookie", "the cookie that holds the token")
                        .form("cookie name")
                        .like(HeaderText.TOKEN_FORM)
                        .unlessGiven("not looked at"),
                "cookie");
        var query =
                node.field("query", "the query parameter that holds the token").unlessGiven("not looked at");
        Optional<String> parameter = query.isPresent() ? Optional.of(query.requiredText()) : Optional.empty();
        var header = token(
                node.field("header", "where the token is looked for")
                        .form("header name")
                        .like(HeaderText.REQUEST_NAME_FORM)
                        .unlessGiven("`Authorization` when none of the three is given"),
                "header");
        header.filter(name -> name.indexOf('_') >= 0 && HeaderText.isToken(name))
                .ifPresent(name -> node.field("header").problem(HeaderText.requestNameFlaw(name)));
        boolean noneNamed = cookie.isEmpty() && parameter.isEmpty() && header.isEmpty();
        return new TokenPlaces(
                cookie, parameter, noneNamed ? Optional.of("Authorization") : header, scheme(node, header));
    }

    private static String scheme(ConfigNode node, Optional<String> header) {
        boolean isOwn = header.isPresent() && !header.get().equalsIgnoreCase("Authorization");
        var scheme = node.field("scheme", "before the token in `header`, in upper or lower case; `\"\"`: nothing")
                .unlessGiven("`Bearer` in `Authorization`, else nothing");
        String text = scheme.like(SCHEME).text(isOwn ? "" : "Bearer");
        if (!text.isEmpty() && !HeaderText.isToken(text)) scheme.problem("expected one word, got \"" + text + '"');
        return text;
    }

    private static Optional<String> token(ConfigNode node, String what) {
        if (!node.isPresent()) return Optional.empty();
        String name = node.requiredText();
        if (!name.isEmpty() && !HeaderText.isToken(name)) {
            node.problem("expected a " + what + " name, got \"" + name + '"');
        }
        return Optional.of(name);
    }

    CredentialFields fields() {
        return new CredentialFields(
                header.map(Set::of).orElse(Set.of()), query.map(Set::of).orElse(Set.of()));
    }

    /// Every token of the request; more than one is a request that is read in two ways.
    List<String> tokens(Exchange exchange) {
        if (cookie.isEmpty() && query.isEmpty() && header.isPresent()) return inHeader(exchange, header.get());
        var found = new ArrayList<String>(1);
        if (cookie.isPresent()) found.addAll(Cookies.all(exchange.headers(), cookie.get()));
        if (query.isPresent()) addFromQuery(exchange, query.get(), found);
        if (header.isPresent()) found.addAll(inHeader(exchange, header.get()));
        found.removeIf(String::isEmpty);
        return found;
    }

    private static void addFromQuery(Exchange exchange, String name, List<String> found) {
        String text = exchange.outgoing().query();
        for (int at = Query.find(text, name, 0); at >= 0; ) {
            int end = Query.end(text, at);
            found.add(Query.first(text.substring(at, end), name).orElse(""));
            at = end < text.length() ? Query.find(text, name, end + 1) : -1;
        }
    }

    private List<String> inHeader(Exchange exchange, String name) {
        List<String> lines = exchange.headers().all(name);
        if (lines.isEmpty()) return List.of();
        if (lines.size() == 1) {
            String token = token(lines.getFirst());
            return token.isEmpty() ? List.of() : List.of(token);
        }
        var found = new ArrayList<String>();
        for (String line : lines) {
            String token = token(line);
            if (!token.isEmpty()) found.add(token);
        }
        return found;
    }

    private boolean shows(Exchange exchange, String name) {
        List<String> lines = exchange.headers().all(name);
        for (int i = 0; i < lines.size(); i++) if (!token(lines.get(i)).isEmpty()) return true;
        return false;
    }

    /// Empty text when there is none behind the scheme, or another scheme.
    private String token(String value) {
        int length = scheme.length();
        if (length == 0) return value.strip();
        boolean named = value.regionMatches(true, 0, scheme, 0, length) && value.length() > length;
        return named && value.charAt(length) == ' '
                ? value.substring(length + 1).strip()
                : "";
    }

    /// Where the first one stands; null when there is none.
    @Nullable
    String shownAt(Exchange exchange) {
        if (cookie.isPresent() && exchange.cookie(cookie.get()).isPresent()) return "cookie:" + cookie.get();
        if (query.isPresent() && exchange.queryParameter(query.get()).isPresent()) return "query:" + query.get();
        if (header.isEmpty() || !shows(exchange, header.get())) return null;
        return "header:" + header.get().toLowerCase(Locale.ROOT);
    }

    /// Takes all of them out of what the upstream gets. A header with a credential of another scheme stays.
    void strip(Exchange exchange) {
        if (cookie.isPresent()) Cookies.remove(exchange.outgoing().headers(), cookie.get());
        if (query.isPresent()) exchange.outgoing().removeQueryParameter(query.get());
        if (header.isPresent() && shows(exchange, header.get())) {
            exchange.outgoing().headers().remove(header.get());
        }
    }
}
