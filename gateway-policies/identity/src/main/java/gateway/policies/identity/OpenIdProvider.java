package gateway.policies.identity;

import gateway.config.CallTargetReader;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyOrigin;
import gateway.policies.cryptography.KeyOriginReader;
import gateway.policies.cryptography.KeyUrls;
import gateway.policies.cryptography.SigningAlgorithm;
import gateway.service.CallTarget;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Who logs people in, as a definition says it, and as whom the gateway speaks to it.
///
/// @param name stands in the ids of callers
/// @param origin where its metadata and keys come from, by its issuer's URL
/// @param scopes `openid` among them
/// @param parameters sent along when somebody is to log in
record OpenIdProvider(
        String name,
        KeyOrigin.Server origin,
        TokenClient client,
        List<String> scopes,
        Map<String, String> parameters,
        Duration timeout) {
    private static final URI STAND_IN = URI.create("https://localhost");
    private static final Duration REFRESH = Duration.ofMinutes(15);
    private static final Duration STALE = Duration.ofHours(24);
    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,256}"); // RFC 6749 §3.3
    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z0-9_]{1,64}");
    private static final int MOST = 32;
    private static final int LONGEST_VALUE = 512;
    private static final Set<String> OURS = Set.of(
            "client_id",
            "code_challenge",
            "code_challenge_method",
            "nonce",
            "redirect_uri",
            "request",
            "request_uri",
            "response_mode",
            "response_type",
            "scope",
            "state");
    private static final String NONE_OF_OURS =
            "{\"propertyNames\": {\"not\": {\"enum\": [\"" + String.join("\", \"", new TreeSet<>(OURS)) + "\"]}}}";
    private static final Set<SigningAlgorithm> ALGORITHMS = Stream.of(SigningAlgorithm.values())
            .filter(each -> !each.isShared())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(SigningAlgorithm.class)));

    OpenIdProvider {
        scopes = List.copyOf(scopes);
        parameters = Map.copyOf(parameters);
    }

    static OpenIdProvider read(ConfigNode node) {
        boolean plaintext = node.field("allowPlaintext", "let the provider be `http://` on other machines too")
                .bool(false);
        URI issuer = KeyUrls.read(
                        node.field("issuer", "the provider's, letter by letter: its metadata is found below")
                                .form("URL"),
                        plaintext)
                .orElse(STAND_IN);
        KeyUrls.describe(node, "issuer");
        CallTarget target = CallTargetReader.of(
                KeyUrls.origin(issuer), node.field("tls", "how it is spoken to, as in an API's `upstream`"));
        return new OpenIdProvider(
                IssuerName.read(node.field("name", "stands in the ids of callers: `oidc:<name>/…`")
                                .unlessGiven("host and path of `issuer`"))
                        .orElse(IssuerName.of(issuer.toString())),
                new KeyOrigin.Server(issuer, true, plaintext, target, REFRESH, STALE, KeyOriginReader.refetch(node)),
                TokenClient.read(node.field("client", "who the gateway is to the provider"), target),
                scopes(node.field("scopes", "that are asked for, `openid` among them")
                        .unlessGiven("`openid`")),
                parameters(node.field("parameters", "sent along to the provider, such as `prompt` or `audience`")),
                node.field("timeout", "for one call of the provider")
                        .duration(Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(5)));
    }

    private static List<String> scopes(ConfigNode field) {
        List<String> found = field.list(each -> {
            String scope = each.like(SCOPE).requiredText();
            if (!scope.isEmpty() && !SCOPE.matcher(scope).matches()) each.expected("a scope without spaces");
            return scope;
        });
        field.extent(0, MOST).obeys("{\"contains\": {\"const\": \"openid\"}}");
        if (found.size() > MOST) field.problem("expected at most " + MOST + " scopes, got " + found.size());
        if (!field.isPresent()) return List.of("openid");
        if (!found.contains("openid")) field.problem("expected \"openid\" among them, got " + String.join(", ", found));
        return List.copyOf(new TreeSet<>(found));
    }

    private static Map<String, String> parameters(ConfigNode field) {
        var found = new LinkedHashMap<>(field.namesLike(PARAMETER)
                .obeys(NONE_OF_OURS)
                .map(each -> each.extent(0, LONGEST_VALUE).requiredText()));
        field.extent(0, MOST);
        if (found.size() > MOST) field.problem("expected at most " + MOST + ", got " + found.size());
        found.forEach((name, value) -> {
            ConfigNode member = field.field(name);
            if (!PARAMETER.matcher(name).matches())
                member.problem("expected a name of letters, digits and '_', got \"" + name + '"');
            if (OURS.contains(name)) member.problem("the gateway sends " + name + " itself");
            if (value.length() > LONGEST_VALUE)
                member.problem("expected at most " + LONGEST_VALUE + " characters, got " + value.length());
        });
        return found;
    }

    String issuer() {
        return origin.url().toString();
    }

    /// Whose tokens are taken: for this client, and of one of these types.
    TokenIssuer tokens(List<String> types) {
        return new TokenIssuer(
                name, false, Optional.of(issuer()), origin, ALGORITHMS, Set.of(client.id()), types, true);
    }
}
