package gateway.policies.message.jose;

import gateway.json.ConfigNode;
import gateway.policies.cryptography.TokenTimes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What the claims of a signed message have to say (RFC 7519 §4.1).
///
/// @param issuer its `iss`; empty: any
/// @param audiences of which one is in `aud`; empty: any
record ExpectedClaims(Optional<String> issuer, Set<String> audiences, TokenTimes times) {
    private static final int MOST = 100;

    ExpectedClaims {
        audiences = Set.copyOf(audiences);
    }

    static ExpectedClaims read(ConfigNode node) {
        node.expectObject();
        Optional<String> issuer =
                node.field("issuer", "its `iss`").unlessGiven("any").optionalText();
        ConfigNode list =
                node.field("audiences", "of which one has to be in `aud`").unlessGiven("any");
        List<String> audiences = list.list(ConfigNode::requiredText);
        list.extent(0, MOST);
        if (audiences.size() > MOST) list.problem("expected at most " + MOST + ", got " + audiences.size());
        var read = new ExpectedClaims(issuer, Set.copyOf(audiences), TokenTimes.read(node));
        node.refuseUnknownFields();
        return read;
    }

    /// @param now in milliseconds
    /// @throws BadJoseException when they do not
    void require(JsonNode claims, long now) {
        if (issuer.isPresent() && !issuer.get().equals(claims.path("iss").asString(""))) {
            throw new BadJoseException("another issuer");
        }
        if (!audiences.isEmpty() && !isForUs(claims.path("aud"))) throw new BadJoseException("another audience");
        if (!times.hold(claims, now)) throw new BadJoseException("not at its time");
    }

    private boolean isForUs(JsonNode audience) {
        if (audience.isString()) return audiences.contains(audience.stringValue());
        for (JsonNode each : audience) if (each.isString() && audiences.contains(each.stringValue())) return true;
        return false;
    }
}
