package gateway.policies.identity;

import gateway.config.CallTargetReader;
import gateway.config.ResourceReader;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.CallTarget;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Reads one of those who give out tokens.
final class TokenIssuerReader {
    private static final List<String> USUAL_TYPES = List.of("jwt", "at+jwt");
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final int MOST_ISSUERS = 32;
    private static final int MOST_TEXTS = 100;
    private static final int LONGEST_TEXT = 1_024;
    private static final int LONGEST_NAME = 64;
    private static final List<String> OF_SERVERS = List.of("tls", "refresh", "stale", "refetch", "allowPlaintext");
    private static final URI STAND_IN = URI.create("https://localhost");

    private final ConfigNode node;
    private final Optional<String> issuer;
    private final Set<SigningAlgorithm> algorithms;
    private final boolean plaintext;

    private TokenIssuerReader(ConfigNode node) {
        this.node = node;
        this.issuer = optional(
                node.field("issuer", "the `iss` of its tokens, letter by letter; not needed where there is one only")
                        .unlessGiven("any"));
        this.algorithms = algorithms(node.field("algorithms", "that its tokens may be signed by"));
        this.plaintext = node.field("allowPlaintext", "fetch keys in the clear from other machines too")
                .bool(false);
    }

    /// Reads a field with 1 to 32 of them.
    static List<TokenIssuer> readAll(ConfigNode field) {
        List<TokenIssuer> found = field.list(TokenIssuerReader::read);
        boolean isList = field.json().filter(json -> json.isArray()).isPresent();
        if (!field.isPresent() || (isList && (found.isEmpty() || found.size() > MOST_ISSUERS))) {
            field.problem("expected 1 to " + MOST_ISSUERS + " issuers");
        }
        checkTogether(found, field);
        return found;
    }

    private static void checkTogether(List<TokenIssuer> issuers, ConfigNode node) {
        var names = new HashSet<String>();
        var values = new HashSet<String>();
        for (TokenIssuer each : issuers) {
            if (!names.add(each.name())) node.problem("expected each name once, got two of \"" + each.name() + '"');
            if (each.issuer().isEmpty() && issuers.size() > 1) {
                node.problem("expected an issuer in each of several");
            }
            each.issuer()
                    .filter(value -> !values.add(value))
                    .ifPresent(value -> node.problem("expected each issuer once, got \"" + value + "\" twice"));
        }
    }

    private static TokenIssuer read(ConfigNode node) {
        node.requireObject();
        return new TokenIssuerReader(node).read();
    }

    private TokenIssuer read() {
        KeyOrigin origin = origin();
        var types = node.field("types", "that the `typ` of its tokens may be; then one has to be there")
                .unlessGiven("`JWT`, `at+jwt` or none");
        var audience = node.field("audiences", "of which one has to be in `aud`; `[]` takes tokens for anybody");
        if (!audience.isPresent()) audience.problem("expected an array; [] says any on purpose");
        var read = new TokenIssuer(
                name(origin),
                issuer,
                origin,
                algorithms,
                Set.copyOf(texts(audience)),
                types.isPresent()
                        ? texts(types).stream().map(CompactToken::plainType).toList()
                        : USUAL_TYPES,
                !types.isPresent());
        node.refuseUnknownFields();
        return read;
    }

    private static Optional<String> optional(ConfigNode field) {
        if (!field.isPresent()) return Optional.empty();
        String text = field.requiredText();
        if (text.length() > LONGEST_TEXT) field.problem("expected at most " + LONGEST_TEXT + " characters");
        return Optional.of(text);
    }

    static List<String> texts(ConfigNode field) {
        List<String> found = field.list(ConfigNode::requiredText);
        if (found.size() > MOST_TEXTS) field.problem("expected at most " + MOST_TEXTS);
        return found;
    }

    private String name(KeyOrigin origin) {
        var field = node.field("name", "stands in the ids of callers: `jwt:<name>/…`")
                .unlessGiven("the host of `issuer`, or of `jwks`");
        String name = field.isPresent() ? field.requiredText() : host(origin);
        if (name.isEmpty() && !field.isPresent()) node.problem("expected a name, since there is no URL to take it of");
        if (name.length() > LONGEST_NAME || name.chars().anyMatch(c -> c <= ' ' || c == '/' || c > '~')) {
            field.problem("expected 1 to " + LONGEST_NAME + " visible characters of ASCII without \"/\"");
        }
        return name;
    }

    private String host(KeyOrigin origin) {
        if (issuer.isPresent()) {
            String text = issuer.get();
            int begin = text.indexOf("://");
            int from = begin < 0 ? 0 : begin + 3;
            int slash = text.indexOf('/', from);
            return text.substring(from, slash < 0 ? text.length() : slash);
        }
        return switch (origin) {
            case KeyOrigin.Server server
            when !server.url().equals(STAND_IN) -> String.valueOf(server.url().getHost());
            case KeyOrigin.Server _,
                    KeyOrigin.Inline _,
                    KeyOrigin.Pem _,
                    KeyOrigin.StoredSet _,
                    KeyOrigin.StoredPem _,
                    KeyOrigin.Shared _ -> "";
        };
    }

    private Set<SigningAlgorithm> algorithms(ConfigNode field) {
        Set<SigningAlgorithm> found = EnumSet.noneOf(SigningAlgorithm.class);
        for (Optional<SigningAlgorithm> each : field.list(TokenIssuerReader::algorithm)) each.ifPresent(found::add);
        boolean none =
                field.json().filter(json -> json.isArray() && json.isEmpty()).isPresent();
        if (none || !field.isPresent()) field.problem("expected at least one algorithm");
        return found;
    }

    private static Optional<SigningAlgorithm> algorithm(ConfigNode node) {
        String word = node.only(SigningAlgorithm.words()).requiredText();
        Optional<SigningAlgorithm> found = SigningAlgorithm.of(word);
        if (found.isEmpty() && !word.isEmpty()) {
            node.problem("expected one of " + String.join(", ", SigningAlgorithm.words()) + ", got \"" + word + '"');
        }
        return found;
    }

    private KeyOrigin origin() {
        var jwks = node.field("jwks", "URL of its key set").form("URL");
        var discovery = node.field(
                "discovery", "the key set is the one that the metadata of `issuer` names (OpenID, else OAuth)");
        var keys = node.field("keys", "its key set, public keys only").form("JWK Set (RFC 7517) or resource");
        var pem = node.field("pem", "its public key or certificate").form("PEM text or resource");
        var secret = node.field("secret", "for HS algorithms: what signs, as UTF-8");
        boolean discovered = discovery.bool(false);
        long given =
                Stream.of(jwks, keys, pem, secret).filter(ConfigNode::isPresent).count() + (discovered ? 1 : 0);
        if (given != 1) node.problem("expected one of jwks, discovery, keys, pem and secret");
        for (SigningAlgorithm each : algorithms) {
            if (each.isShared() != secret.isPresent()) {
                String only = secret.isPresent() ? "HS algorithms with" : "no " + each.word() + " without";
                node.field("algorithms").problem("expected " + only + " secret");
            }
        }
        KeyOrigin.Server server = server(jwks, discovered);
        Optional<KeyOrigin> shared =
                secret.isPresent() ? Optional.of(new KeyOrigin.Shared(SecretReader.read(secret))) : Optional.empty();
        if (given == 1 && !discovered && !jwks.isPresent()) refuseServerFields();
        if (keys.isPresent()) return inline(keys);
        if (pem.isPresent()) return pem(pem);
        return shared.isPresent() ? shared.get() : server;
    }

    private void refuseServerFields() {
        for (String name : OF_SERVERS) {
            ConfigNode field = node.field(name);
            if (field.isPresent()) field.problem("expected nothing, since its keys are not fetched");
        }
    }

    private KeyOrigin.Server server(ConfigNode jwks, boolean discovered) {
        Optional<URI> url = Optional.empty();
        if (jwks.isPresent()) url = KeyUrls.read(jwks, plaintext);
        else if (discovered && !issuer.isPresent()) node.field("issuer").problem("expected one, to find its metadata");
        else if (discovered) url = KeyUrls.read(node.field("issuer"), plaintext);
        CallTarget target = CallTargetReader.of(
                KeyUrls.origin(url.orElse(STAND_IN)),
                node.field("tls", "how the server of the keys is spoken to, as in an API's `upstream`"));
        Duration refresh = node.field("refresh", "age at which keys are fetched again, behind the requests")
                .duration(SHORTEST, LONGEST, Duration.ofMinutes(15));
        Duration stale = node.field("stale", "age up to which keys serve while their server is away")
                .duration(SHORTEST, Duration.ofDays(30), Duration.ofHours(24));
        Duration refetch = node.field("refetch", "least time between fetches that unknown keys cause")
                .duration(SHORTEST, LONGEST, Duration.ofSeconds(30));
        if (stale.compareTo(refresh) < 0) node.field("stale").problem("expected at least \"refresh\"");
        return new KeyOrigin.Server(
                url.orElse(STAND_IN), !jwks.isPresent(), plaintext, target, refresh, stale, refetch);
    }

    private KeyOrigin inline(ConfigNode field) {
        field.alternative("set", TokenIssuerReader::describeSet);
        field.alternative("resource", ResourceReader::read);
        if (ResourceReader.isReference(field)) return new KeyOrigin.StoredSet(ResourceReader.read(field));
        if (!field.expectObject()) return new KeyOrigin.Inline("{\"keys\": []}");
        JsonNode set = field.json().orElseThrow();
        requireKeys(field, () -> LocalKeys.ofSet(set, algorithms));
        return new KeyOrigin.Inline(Json.compact(set));
    }

    private static void describeSet(ConfigNode set) {
        set.requireObject();
        ConfigNode keys = set.field("keys", "as JWK");
        if (!keys.isPresent()) keys.problem("expected an array");
        keys.list(ConfigNode::requireObject);
    }

    private KeyOrigin pem(ConfigNode field) {
        field.alternative("text", ConfigNode::requiredText);
        field.alternative("resource", ResourceReader::read);
        if (ResourceReader.isReference(field)) return new KeyOrigin.StoredPem(ResourceReader.read(field));
        String text = field.requiredText();
        if (!text.isEmpty()) requireKeys(field, () -> LocalKeys.ofPem(text, algorithms));
        return new KeyOrigin.Pem(text);
    }

    private static void requireKeys(ConfigNode field, Supplier<LocalKeys> keys) {
        try {
            var _ = keys.get();
        } catch (InvalidConfigException e) {
            field.problem(String.valueOf(e.problems().getFirst().message()));
        }
    }
}
