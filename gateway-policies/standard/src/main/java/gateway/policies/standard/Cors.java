package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.http.Headers;
import gateway.http.MethodNames;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Lets web pages of other origins call the API (CORS, WHATWG Fetch §3.2): answers preflights and marks
/// responses.
///
/// @param allowedMethods `*`: any
/// @param allowedHeaders in lower case; `*`: any
/// @param maxAge how long browsers keep a preflight's answer; empty: as long as they like
/// @param optionsPassthrough preflights go to the upstream, without authentication
public record Cors(
        AllowedOrigins allowedOrigins,
        Set<String> allowedMethods,
        Set<String> allowedHeaders,
        List<String> exposedHeaders,
        boolean allowCredentials,
        Optional<Duration> maxAge,
        boolean optionsPassthrough)
        implements PolicySpec {
    private static final Set<String> SIMPLE_METHODS = Set.of("GET", "HEAD", "POST");
    private static final String REQUEST_METHOD = "Access-Control-Request-Method";
    private static final String REQUEST_HEADERS = "Access-Control-Request-Headers";

    public Cors {
        exposedHeaders = List.copyOf(exposedHeaders);
    }

    @Override
    public boolean answersPreflight() {
        return true;
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        Followup unmarked = new Marks(this, "");
        return exchange -> {
            var origin = exchange.headers().first("Origin");
            if (origin.isEmpty()) return Verdict.proceed(unmarked);
            if (isPreflight(exchange)) return preflight(exchange, origin.get());
            return Verdict.proceed(allowedOrigins.contains(origin.get()) ? new Marks(this, origin.get()) : unmarked);
        };
    }

    private static boolean isPreflight(Exchange exchange) {
        return exchange.method().equals("OPTIONS") && exchange.headers().contains(REQUEST_METHOD);
    }

    private Verdict preflight(Exchange exchange, String origin) {
        if (optionsPassthrough) {
            exchange.waiveAuthentication();
            return Verdict.proceed();
        }
        String method = exchange.headers().first(REQUEST_METHOD).orElse("");
        String headers = String.join(", ", exchange.headers().all(REQUEST_HEADERS));
        if (!allowedOrigins.contains(origin))
            return CredentialRefusal.forbidden(exchange, "Your origin is not allowed here");
        if (!allowsMethod(method))
            return CredentialRefusal.forbidden(exchange, "Your origin may not use this method here");
        if (!allowsHeaders(headers))
            return CredentialRefusal.forbidden(exchange, "Your origin may not send these headers here");
        var response = Response.of(204);
        mark(response.headers(), origin);
        response.headers().add("Vary", REQUEST_METHOD + ", " + REQUEST_HEADERS);
        response.with(
                "Access-Control-Allow-Methods",
                allowedMethods.contains("*") ? method : String.join(", ", allowedMethods));
        if (!headers.isEmpty()) response.with("Access-Control-Allow-Headers", headers);
        maxAge.ifPresent(age -> response.with("Access-Control-Max-Age", Long.toString(age.toSeconds())));
        return Verdict.answer(response);
    }

    private boolean allowsMethod(String method) {
        return SIMPLE_METHODS.contains(method) || allowedMethods.contains("*") || allowedMethods.contains(method);
    }

    private boolean allowsHeaders(String names) {
        if (names.isBlank() || allowedHeaders.contains("*")) return true;
        for (String name : names.split(",", -1)) {
            if (!allowedHeaders.contains(name.strip().toLowerCase(Locale.ROOT))) return false;
        }
        return true;
    }

    /// @param origin one that is allowed; empty: none is to be told
    private void mark(Headers headers, String origin) {
        boolean everybody = allowedOrigins.any();
        if (!everybody) addVary(headers);
        if (origin.isEmpty() && !everybody) return;
        headers.set("Access-Control-Allow-Origin", everybody ? "*" : origin);
        if (allowCredentials) headers.set("Access-Control-Allow-Credentials", "true");
    }

    private static void addVary(Headers headers) {
        for (String line : headers.all("Vary")) {
            if (line.equals("*") || line.equalsIgnoreCase("Origin")) return;
        }
        headers.add("Vary", "Origin");
    }

    /// Replaces what the upstream says about CORS by what the policy says.
    private record Marks(Cors cors, String origin) implements Followup {
        private static final List<String> UPSTREAM = List.of(
                "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Access-Control-Expose-Headers");

        @Override
        public Response onResponse(Response response) {
            Headers headers = response.headers();
            for (int i = 0; i < UPSTREAM.size(); i++) headers.remove(UPSTREAM.get(i));
            cors.mark(headers, origin);
            boolean told = cors.allowedOrigins().any() || !origin.isEmpty();
            if (told && !cors.exposedHeaders().isEmpty()) {
                headers.set("Access-Control-Expose-Headers", String.join(", ", cors.exposedHeaders()));
            }
            return response;
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final String NO_CREDENTIALS_FOR_ANY = """
                {"if": {"required": ["allowedOrigins"], "properties": {"allowedOrigins": {"contains": {"const": "*"}}}},
                 "then": {"properties": {"allowCredentials": {"not": {"const": true}}}}}""";

        @Override
        public String name() {
            return "cors";
        }

        @Override
        public Stage stage() {
            return Stage.GUARD;
        }

        @Override
        public Cors read(ConfigNode node) {
            var origins = AllowedOrigins.read(node.field(
                            "allowedOrigins",
                            "origins in lower case; `https://*.example.org` for all subdomains, not the domain itself; `*` for any")
                    .form("origins, at least one"));
            var methods = node.field("allowedMethods", "`*` for any; browsers never ask for the usual three")
                    .form("methods")
                    .unlessGiven("`GET`, `HEAD`, `POST`")
                    .list(MethodNames::read);
            var credentials =
                    node.field("allowCredentials", "cookies and TLS certificates; refused together with origin `*`");
            node.obeys(NO_CREDENTIALS_FOR_ANY);
            boolean allowCredentials = credentials.bool(false);
            if (allowCredentials && origins.any()) {
                credentials.problem(
                        "expected false with \"*\" in \"allowedOrigins\": any site could act for its visitors");
            }
            var age =
                    node.field("maxAge", "how long a preflight's answer holds").unlessGiven("what browsers choose");
            var maxAge = age.duration(Duration.ZERO, Duration.ofDays(1), Duration.ZERO);
            return new Cors(
                    origins,
                    new LinkedHashSet<>(methods.isEmpty() ? List.of("GET", "HEAD", "POST") : methods),
                    new LinkedHashSet<>(node.field(
                                    "allowedHeaders", "that requests may carry beyond the safelisted ones; `*` for any")
                            .form("header names")
                            .list(Type::lowerCaseName)),
                    node.field("exposedHeaders", "that pages may read beyond the safelisted ones")
                            .form("header names")
                            .list(Type::name),
                    allowCredentials,
                    age.isPresent() ? Optional.of(maxAge) : Optional.empty(),
                    node.field("optionsPassthrough", "preflights go to the upstream and its answer goes back unchanged")
                            .bool(false));
        }

        private static String lowerCaseName(ConfigNode node) {
            return name(node).toLowerCase(Locale.ROOT);
        }

        private static String name(ConfigNode node) {
            String name = node.like(HeaderText.TOKEN_FORM).requiredText();
            if (!name.isEmpty() && !HeaderText.isToken(name)) {
                node.problem("expected a header name, got \"" + name + "\"");
            }
            return name;
        }
    }
}
