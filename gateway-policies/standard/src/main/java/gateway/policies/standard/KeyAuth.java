package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.key.ApiKey;
import gateway.key.KeyStore;
import gateway.key.Plans;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.CredentialFields;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Lets only callers with an API key pass: 401 without one that is good now, 403 with one that does not open what
/// is asked for.
///
/// @param cookie looked at first, then `query`, then `header`; empty: not looked at
/// @param forwardCredential leave the key in the request that the upstream sees
public record KeyAuth(
        Optional<String> cookie, Optional<String> query, Optional<String> header, boolean forwardCredential)
        implements PolicySpec {
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return new Authentication(
                this,
                services.keys(),
                services.plans(),
                services.clock(),
                Challenge.of(this, placement.api()),
                cookie.map(name -> "cookie:" + name).orElse(""),
                query.map(name -> "query:" + name).orElse(""),
                header.map(name -> "header:" + name.toLowerCase(Locale.ROOT)).orElse(""));
    }

    @Override
    public List<PolicyDefinition> brings() {
        return OwnLimits.BOTH;
    }

    @Override
    public Set<Dependency> dependencies() {
        return Set.of(Dependency.Store.KEYS);
    }

    @Override
    public CredentialFields credentials() {
        return new CredentialFields(
                header.map(Set::of).orElse(Set.of()), query.map(Set::of).orElse(Set.of()));
    }

    private Optional<String> secret(Exchange exchange) {
        if (cookie.isPresent()) {
            var found = inCookie(exchange);
            if (found.isPresent()) return found;
        }
        if (query.isPresent()) {
            var found = inQuery(exchange);
            if (found.isPresent()) return found;
        }
        return inHeader(exchange);
    }

    private Optional<String> inCookie(Exchange exchange) {
        return cookie.isEmpty()
                ? Optional.empty()
                : exchange.cookie(cookie.get()).filter(text -> !text.isEmpty());
    }

    private Optional<String> inQuery(Exchange exchange) {
        return query.isEmpty()
                ? Optional.empty()
                : exchange.queryParameter(query.get()).filter(text -> !text.isEmpty());
    }

    private Optional<String> inHeader(Exchange exchange) {
        if (header.isEmpty()) return Optional.empty();
        return exchange.headers()
                .first(header.get())
                .map(KeyAuth::withoutScheme)
                .filter(text -> !text.isEmpty());
    }

    private static String withoutScheme(String value) {
        boolean bearer = value.regionMatches(true, 0, "Bearer", 0, 6);
        if (bearer && value.length() == 6) return "";
        return bearer && value.charAt(6) == ' ' ? value.substring(7).strip() : value;
    }

    private void strip(Exchange exchange) {
        if (cookie.isPresent()) Cookies.remove(exchange.outgoing().headers(), cookie.get());
        if (query.isPresent()) exchange.outgoing().removeQueryParameter(query.get());
        if (header.isPresent()) exchange.outgoing().headers().remove(header.get());
    }

    private record Authentication(
            KeyAuth auth,
            KeyStore keys,
            Plans plans,
            InstantSource clock,
            Challenge asked,
            String cookiePlace,
            String queryPlace,
            String headerPlace)
            implements AuthenticationPolicy {
        @Override
        public @Nullable String shownAt(Exchange exchange) {
            if (auth.inCookie(exchange).isPresent()) return cookiePlace;
            if (auth.inQuery(exchange).isPresent()) return queryPlace;
            return auth.inHeader(exchange).isPresent() ? headerPlace : null;
        }

        @Override
        public void strip(Exchange exchange) {
            if (!auth.forwardCredential) auth.strip(exchange);
        }

        @Override
        public String challenge() {
            return asked.plain();
        }

        @Override
        public Verdict apply(Exchange exchange) {
            Optional<String> secret = exchange.authenticationWaived() ? Optional.empty() : auth.secret(exchange);
            strip(exchange);
            if (exchange.authenticationWaived()) return Verdict.proceed();
            if (secret.isEmpty()) return asked.missing(exchange);
            if (secret.get().length() > KeyStore.LONGEST_SECRET) return asked.refused(exchange, "invalid");
            Optional<ApiKey> key = keys.authenticate(secret.get());
            return key.isEmpty() ? asked.refused(exchange, "invalid") : decide(exchange, key.get());
        }

        private Verdict decide(Exchange exchange, ApiKey key) {
            if (!key.enabled()) return refused(exchange, key, "disabled");
            if (key.expires().isPresent() && key.expired(clock.instant())) return refused(exchange, key, "expired");
            return Grants.decide(exchange, key, plans);
        }

        private Verdict refused(Exchange exchange, ApiKey key, String why) {
            exchange.refused(key);
            return asked.refused(exchange, why);
        }
    }

    /// What a 401 asks for. Only a credential in `Authorization` has a registered scheme (RFC 6750).
    private record Challenge(String plain, String withError) {
        static Challenge of(KeyAuth auth, String api) {
            boolean bearer =
                    auth.header().filter("Authorization"::equalsIgnoreCase).isPresent();
            String plain = (bearer ? "Bearer" : "ApiKey") + " realm=\"" + api + '"';
            return new Challenge(plain, bearer ? plain + ", error=\"invalid_token\"" : plain);
        }

        Verdict missing(Exchange exchange) {
            return CredentialRefusal.unauthenticated(exchange, plain, "The API key is missing");
        }

        /// @param why `invalid`, `expired` or `disabled`
        Verdict refused(Exchange exchange, String why) {
            return CredentialRefusal.unauthenticated(exchange, withError, "The API key is " + why);
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "key-auth";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public KeyAuth read(ConfigNode node) {
            var cookie = token(
                    node.field("cookie", "the cookie that holds the secret")
                            .form("cookie name")
                            .like(HeaderText.TOKEN_FORM)
                            .unlessGiven("not looked at"),
                    "cookie");
            var query = text(node.field("query", "the query parameter that holds the secret")
                    .unlessGiven("not looked at"));
            var header = token(
                    node.field("header", "where the secret is looked for; a leading `Bearer ` is dropped")
                            .form("header name")
                            .like(HeaderText.REQUEST_NAME_FORM)
                            .unlessGiven("`Authorization` when none of the three is given"),
                    "header");
            header.filter(name -> name.indexOf('_') >= 0 && HeaderText.isToken(name))
                    .ifPresent(name -> node.field("header").problem(HeaderText.requestNameFlaw(name)));
            boolean noneNamed = cookie.isEmpty() && query.isEmpty() && header.isEmpty();
            return new KeyAuth(
                    cookie,
                    query,
                    noneNamed ? Optional.of("Authorization") : header,
                    node.field("forwardCredential", "leave the secret in the request that the upstream sees")
                            .bool(false));
        }

        private static Optional<String> text(ConfigNode node) {
            return node.isPresent() ? Optional.of(node.requiredText()) : Optional.empty();
        }

        private static Optional<String> token(ConfigNode node, String what) {
            var name = text(node);
            if (name.isPresent() && !name.get().isEmpty() && !HeaderText.isToken(name.get())) {
                node.problem("expected a " + what + " name, got \"" + name.get() + "\"");
            }
            return name;
        }
    }
}
