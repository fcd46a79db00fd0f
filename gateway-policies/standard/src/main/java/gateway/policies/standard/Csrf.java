package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Refuses requests that a page of another site makes with the cookies of whoever looks at it: by what browsers say of
/// where a request comes from, without tokens (OWASP, "Verifying Origin With Standard Headers"; Fetch Metadata).
///
/// @param origins of pages that may besides those of the request's own origin
/// @param unknown what becomes of requests that say nothing of where they come from
public record Csrf(Optional<AllowedOrigins> origins, Unknown unknown) implements PolicySpec {
    enum Unknown {
        REFUSE,
        ALLOW
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return exchange -> passes(exchange)
                ? Verdict.proceed()
                : CredentialRefusal.forbidden(exchange, "Pages of other sites may not do this");
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    private boolean passes(Exchange exchange) {
        if (isSafe(exchange)) return true;
        List<String> claimed = exchange.headers().all("Origin");
        if (!claimed.isEmpty()) return claimed.size() == 1 && isAllowed(claimed.getFirst(), exchange);
        List<String> pages = exchange.headers().all("Referer");
        if (!pages.isEmpty()) return pages.size() == 1 && isAllowed(originOf(pages.getFirst()), exchange);
        Optional<String> site = exchange.headers().first("Sec-Fetch-Site");
        if (site.isPresent())
            return site.get().equals("same-origin") || site.get().equals("none");
        return unknown == Unknown.ALLOW;
    }

    /// Changes nothing by itself (RFC 9110 §9.2.1); a WebSocket is opened to do anything, and browsers show no page
    /// the answer of another site but that.
    private static boolean isSafe(Exchange exchange) {
        return switch (exchange.method()) {
            case "GET", "HEAD" -> !exchange.opensWebSocket();
            case "OPTIONS", "TRACE" -> true;
            default -> false;
        };
    }

    private boolean isAllowed(String origin, Exchange exchange) {
        if (origin.isEmpty()) return false;
        Optional<String> host = exchange.headers().first("Host");
        if (host.isPresent()) {
            String own = exchange.scheme() + "://" + host.get().toLowerCase(Locale.ROOT);
            if (origin.equals(own)) return true;
        }
        return origins.isPresent() && origins.get().contains(origin);
    }

    /// The origin of an URL; empty text when it has none.
    private static String originOf(String url) {
        int authority = url.indexOf("://");
        if (authority <= 0) return "";
        int begin = authority + 3;
        int end = begin;
        while (end < url.length() && "/?#\\".indexOf(url.charAt(end)) < 0) end++;
        String host = url.substring(begin, end);
        return host.isEmpty() || host.indexOf('@') >= 0 ? "" : url.substring(0, end);
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "csrf";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public Csrf read(ConfigNode node) {
            ConfigNode field = node.field("origins", "of pages that may, besides the request's own")
                    .obeys("{\"not\": {\"contains\": {\"const\": \"*\"}, \"type\": \"array\"}}")
                    .form("origins, as in `cors`")
                    .unlessGiven("none besides");
            Optional<AllowedOrigins> origins =
                    field.isPresent() ? Optional.of(AllowedOrigins.read(field)) : Optional.empty();
            if (origins.filter(AllowedOrigins::any).isPresent())
                field.problem("expected origins, not \"*\", which would let every page");
            return new Csrf(
                    origins,
                    node.field(
                                    "unknown",
                                    "what becomes of requests that do not say where they come from, as those of"
                                            + " programs")
                            .choice(Unknown.REFUSE));
        }
    }
}
