package gateway.policies.identity;

import gateway.json.ConfigNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// What tells an issuer in the ids of callers: its host, and the path where it has one, since one host may have several
/// realms: `id.example.com;realms;corp`. No `/` is in it, so what a subject begins with is never part of it.
final class IssuerName {
    private static final Pattern VISIBLE = Pattern.compile("[!-.0-~]+");
    private static final int LONGEST = 64;

    private IssuerName() {}

    /// @param issuer its `iss`, mostly a URL
    static String of(String issuer) {
        return host(issuer) + path(issuer);
    }

    /// With its port, where it says one; all of what is no URL.
    static String host(String issuer) {
        int from = afterScheme(issuer);
        int slash = issuer.indexOf('/', from);
        return issuer.substring(from, slash < 0 ? issuer.length() : slash);
    }

    /// Empty text where there is none, or `/` alone.
    static String path(String issuer) {
        int slash = issuer.indexOf('/', afterScheme(issuer));
        if (slash < 0 || slash == issuer.length() - 1) return "";
        return URLEncoder.encode(issuer.substring(slash), StandardCharsets.UTF_8)
                .replace("%2F", ";");
    }

    private static int afterScheme(String issuer) {
        int colon = issuer.indexOf("://");
        return colon < 0 ? 0 : colon + 3;
    }

    /// Who has given out a token with these claims; empty text where they do not say.
    static String issuer(JsonNode claims) {
        return claims.path("iss").asString("");
    }

    /// Reads one that a definition gives; empty where it gives none.
    static Optional<String> read(ConfigNode field) {
        field.like(VISIBLE).extent(1, LONGEST);
        if (!field.isPresent()) return Optional.empty();
        String name = field.requiredText();
        if (!name.isEmpty() && !isOne(name)) {
            field.expected("1 to " + LONGEST + " visible characters of ASCII without \"/\"");
        }
        return Optional.of(name);
    }

    static boolean isOne(String name) {
        return name.length() <= LONGEST && VISIBLE.matcher(name).matches();
    }
}
