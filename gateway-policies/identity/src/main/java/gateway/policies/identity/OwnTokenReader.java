package gateway.policies.identity;

import gateway.json.ConfigNode;
import gateway.policies.standard.WritableHeader;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Reads which token the gateway signs about callers.
final class OwnTokenReader {
    private static final Set<String> OWN = Set.of("iss", "sub", "aud", "exp", "nbf", "iat", "jti");
    private static final Pattern NAME = Pattern.compile("[^\\x00-\\x1f\\x7f]{1,256}");
    private static final String NOT_OWN =
            "{\"propertyNames\": {\"not\": {\"enum\": [\"" + String.join("\", \"", new TreeSet<>(OWN)) + "\"]}}}";
    private static final Pattern PLAIN = Pattern.compile("[^\"\\\\\\x00-\\x1f]*");
    private static final int MOST_CLAIMS = 32;
    private static final int LONGEST_TEXT = 1_024;

    private OwnTokenReader() {}

    static OwnToken read(ConfigNode node) {
        node.expectObject();
        OwnKey key = OwnKey.read(node);
        String issuer = matching(node.field("issuer", "`iss`: what the upstream knows the gateway as"), NAME);
        ConfigNode audience = node.field("audience", "`aud`: who the upstream is");
        ConfigNode list = node.field("claims", "further ones by name; those without a value are left out");
        Map<String, Template> claims = list.obeys(NOT_OWN).map(OwnTokenReader::template);
        for (String name : claims.keySet()) {
            if (OWN.contains(name)) list.field(name).problem("the gateway writes " + name + " itself");
        }
        list.extent(0, MOST_CLAIMS);
        if (claims.size() > MOST_CLAIMS) list.problem("expected at most " + MOST_CLAIMS + ", got " + claims.size());
        Duration lifetime = node.field("lifetime", "of each token; it is shown for half of that")
                .duration(Duration.ofSeconds(10), Duration.ofHours(1), Duration.ofMinutes(1));
        ConfigNode header = node.field("header", "that holds it; `Authorization` holds it as `Bearer`")
                .form("header name")
                .unlessGiven("`Authorization`");
        node.refuseUnknownFields();
        return new OwnToken(
                key,
                issuer,
                audience.isPresent() ? Optional.of(matching(audience, NAME)) : Optional.empty(),
                claims,
                lifetime,
                header.isPresent() ? WritableHeader.readName(header) : "Authorization");
    }

    /// What it makes of a caller is escaped; its own text has nothing that would have to be.
    private static Template template(ConfigNode node) {
        String text = node.like(PLAIN).extent(1, LONGEST_TEXT).text();
        boolean plain = text.chars().noneMatch(c -> c == '"' || c == '\\' || c < ' ');
        if (!plain || text.length() > LONGEST_TEXT) {
            node.expected("at most " + LONGEST_TEXT + " characters, no quotes, no backslashes");
        }
        return Template.read(node, TemplatePlace.JSON_STRING);
    }

    private static String matching(ConfigNode node, Pattern pattern) {
        String text = node.requiredText();
        node.like(pattern);
        if (!text.isEmpty() && !pattern.matcher(text).matches()) node.expected(pattern.pattern());
        return text;
    }
}
