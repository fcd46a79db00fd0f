package gateway.policies.identity;

import gateway.policies.cryptography.KeyOrigin;
import gateway.policies.cryptography.SigningAlgorithm;
import gateway.policy.Dependency;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// One who gives out tokens, as a definition says it.
///
/// @param name stands in the ids of callers
/// @param told by tokens, whose `iss` has a path that stands there too: neither name nor issuer is given
/// @param issuer the `iss` of the tokens; empty: any
/// @param audiences of which a token has to be for one; empty: for anybody
/// @param types of tokens, as [CompactToken#plainType] has them
/// @param untyped whether tokens without a type are taken
record TokenIssuer(
        String name,
        boolean told,
        Optional<String> issuer,
        KeyOrigin origin,
        Set<SigningAlgorithm> algorithms,
        Set<String> audiences,
        List<String> types,
        boolean untyped) {
    TokenIssuer {
        algorithms = Set.copyOf(algorithms);
        audiences = Set.copyOf(audiences);
        types = List.copyOf(types);
    }

    /// Those who tell their keys.
    static List<Dependency.Server> servers(List<TokenIssuer> issuers) {
        var found = new ArrayList<Dependency.Server>();
        for (TokenIssuer each : issuers) {
            if (each.origin() instanceof KeyOrigin.Server server) found.add(new Dependency.Server(server.name()));
        }
        return found;
    }

    /// What the id of a caller begins with whose token has these claims.
    String prefix(JsonNode claims) {
        return "jwt:" + name + (told ? IssuerName.path(IssuerName.issuer(claims)) : "") + '/';
    }

    boolean takesType(String type) {
        return type.isEmpty() ? untyped : types.contains(type);
    }

    /// Whether a token with these claims is for one of the audiences.
    boolean takesAudience(JsonNode claims) {
        return audiences.isEmpty() || isFor(audiences, claims.path("aud"));
    }

    /// @param audience a text, or a list of nothing but texts
    static boolean isFor(Set<String> audiences, JsonNode audience) {
        if (audience.isString()) return audiences.contains(audience.stringValue());
        if (!audience.isArray()) return false;
        boolean found = false;
        for (JsonNode each : audience) {
            if (!each.isString()) return false;
            found |= audiences.contains(each.stringValue());
        }
        return found;
    }
}
