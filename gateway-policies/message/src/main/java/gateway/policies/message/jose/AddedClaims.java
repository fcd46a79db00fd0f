package gateway.policies.message.jose;

import gateway.json.ConfigNode;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the gateway says in a message that it signs, beside what stands there: in place of members of these names.
///
/// @param lifetime from `iat` to `exp`
/// @param id whether each has a `jti` of its own
record AddedClaims(Optional<String> issuer, Optional<String> audience, Duration lifetime, boolean id) {
    private static final SecureRandom RANDOM = new SecureRandom();

    static AddedClaims read(ConfigNode node) {
        node.expectObject();
        var read = new AddedClaims(
                node.field("issuer", "`iss`: what the recipient knows the gateway as")
                        .unlessGiven("none")
                        .optionalText(),
                node.field("audience", "`aud`: who the recipient is")
                        .unlessGiven("none")
                        .optionalText(),
                node.field("lifetime", "from `iat` to `exp`")
                        .duration(Duration.ofSeconds(1), Duration.ofDays(1), Duration.ofMinutes(5)),
                node.field("id", "give each a `jti` of its own").bool(true));
        node.refuseUnknownFields();
        return read;
    }

    /// @param said is left as it is
    ObjectNode added(JsonNode said, Instant now) {
        ObjectNode claims = (ObjectNode) said.deepCopy();
        issuer.ifPresent(text -> claims.put("iss", text));
        audience.ifPresent(text -> claims.put("aud", text));
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.plus(lifetime).getEpochSecond());
        if (id) claims.put("jti", random());
        return claims;
    }

    private static String random() {
        var octets = new byte[16];
        RANDOM.nextBytes(octets);
        return JoseText.encoded(octets);
    }
}
