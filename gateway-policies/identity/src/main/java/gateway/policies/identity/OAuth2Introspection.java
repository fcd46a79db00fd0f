package gateway.policies.identity;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
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
import java.util.Set;

/// Lets only callers pass with a token that a server calls active (RFC 7662): 401 without one, 503 while the server
/// does not say.
///
/// @param localFirst whose signatures are asked for before the server is; none: nobody's
/// @param hint of what kind the tokens are, for the server; empty text: none
/// @param forwardCredential leave the token in the request that the upstream sees
public record OAuth2Introspection(
        TokenPlaces places,
        List<TokenIssuer> localFirst,
        IntrospectionServer server,
        IntrospectionRules rules,
        IntrospectionTimes times,
        String hint,
        int concurrency,
        boolean forwardCredential)
        implements PolicySpec {
    private static final int LONGEST_HINT = 64;

    public OAuth2Introspection {
        localFirst = List.copyOf(localFirst);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return IntrospectionAuthentication.compile(this, placement, services);
    }

    @Override
    public Set<Dependency> dependencies() {
        var found = new HashSet<Dependency>();
        found.add(new Dependency.Server(server.target().name()));
        found.addAll(TokenIssuer.servers(localFirst));
        if (rules.consumer().key().isPresent()) found.add(Dependency.Store.KEYS);
        return found;
    }

    @Override
    public List<PolicyDefinition> brings() {
        return rules.consumer().key().isPresent() ? KeyedCallers.limits() : List.of();
    }

    @Override
    public CredentialFields credentials() {
        return places.fields();
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "oauth2-introspection";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHENTICATE;
        }

        @Override
        public OAuth2Introspection read(ConfigNode node) {
            var hint = node.field("tokenTypeHint", "of what kind the tokens are, for the server");
            String text = hint.text("");
            hint.extent(0, LONGEST_HINT);
            if (text.length() > LONGEST_HINT)
                hint.problem("expected at most " + LONGEST_HINT + " characters, got " + text.length());
            return new OAuth2Introspection(
                    TokenPlaces.read(node),
                    readLocal(node.field(
                            "localFirst",
                            "`issuers` as of [jwt](jwt.md): other tokens than theirs are refused unasked")),
                    IntrospectionServer.read(node),
                    IntrospectionRules.read(node),
                    IntrospectionTimes.read(node),
                    text,
                    (int) node.field("concurrency", "questions at once; more wait up to `timeout`")
                            .integer(1, 1_000, 64),
                    node.field("forwardCredential", "leave the token in the request that the upstream sees")
                            .bool(false));
        }

        private static List<TokenIssuer> readLocal(ConfigNode field) {
            return field.isPresent() ? TokenIssuerReader.readAll(field) : List.of();
        }
    }
}
