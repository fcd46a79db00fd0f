package gateway.policies.identity;

import com.google.auto.service.AutoService;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.CredentialFields;
import gateway.policy.Dependency;
import gateway.policy.Policy;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Logs people in with a browser (OpenID Connect, authorization code with PKCE) and keeps a session for them.
///
/// @param refresh renew tokens ahead of their end
public record Oidc(
        OpenIdProvider provider,
        LoginPlaces places,
        Unauthenticated unauthenticated,
        SessionRules session,
        SessionForwarding forward,
        ConsumerClaims consumer,
        boolean refresh)
        implements PolicySpec {
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return OidcAuthentication.compile(this, placement, services);
    }

    @Override
    public Set<Dependency> dependencies() {
        var found = new HashSet<Dependency>();
        found.add(new Dependency.Server(provider.origin().name()));
        if (consumer.key().isPresent()) found.add(Dependency.Store.KEYS);
        if (session.in() == SessionRules.Place.STORE) found.add(Dependency.Store.SHORT_TERM);
        return found;
    }

    @Override
    public List<PolicyDefinition> brings() {
        return consumer.key().isPresent() ? KeyedCallers.limits() : List.of();
    }

    @Override
    public CredentialFields credentials() {
        return new CredentialFields(Set.of(), Set.of("code", "state"));
    }

    /// The session that a login makes: of claims and tokens only what is used.
    ///
    /// @param asked when the tokens were, in milliseconds
    Session session(JsonNode claims, TokenAnswer.Given given, long asked, long now) {
        ObjectNode kept = Json.mapper().createObjectNode();
        for (String name : keptClaims()) {
            JsonNode value = claims.get(name);
            if (value != null) kept.set(name, value);
        }
        long ends = asked + given.life().toMillis();
        Optional<Secret> access = forward.accessToken().isPresent() ? Optional.of(given.token()) : Optional.empty();
        Optional<Secret> renewal = refresh ? given.refresh() : Optional.empty();
        long renewAt = ends - SessionRenewal.ahead(given.life()).toMillis();
        return new Session(RandomText.next(), 0, kept, access, renewal, renewAt, ends, now, now);
    }

    private Set<String> keptClaims() {
        var names = new HashSet<>(session.keep());
        names.addAll(Set.of("sub", "sid", "name"));
        for (ClaimPath each : forward.claims().values()) names.add(each.member());
        for (ClaimPath each : consumer.claims()) names.add(each.member());
        return names;
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "oidc";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public Oidc read(ConfigNode node) {
            var provider = OpenIdProvider.read(node);
            var places = LoginPlaces.read(node);
            var session = SessionRules.read(node.field("session", "how sessions are kept"));
            if (places.backChannel().isPresent() && session.in() == SessionRules.Place.COOKIE) {
                node.field("backChannelLogout").problem("expected only with sessions in the store");
            }
            return new Oidc(
                    provider,
                    places,
                    node.field(
                                    "unauthenticated",
                                    "`redirect`: to the provider; `deny`: 401; `auto`: people are redirected, scripts denied")
                            .choice(Unauthenticated.AUTO),
                    session,
                    SessionForwarding.read(node.field("forward", "what the upstream is told")),
                    ConsumerClaims.read(node.field(
                            "consumer", "which claims of the ID token, by name or JSON Pointer, say who calls")),
                    node.field("refresh", "renew tokens by the refresh token, ahead of their end")
                            .bool(true));
        }
    }
}
