package gateway.policies.cryptography;

import gateway.config.CallTargetReader;
import gateway.config.ResourceReader;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.Durations;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.json.JsonSchema;
import gateway.service.CallTarget;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Reads where the keys of one who signs come from.
public final class KeyOriginReader {
    /// The URL of a server that the definition does not name.
    public static final URI STAND_IN = URI.create("https://localhost");

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final List<String> OF_SERVERS = List.of("tls", "refresh", "stale", "refetch", "allowPlaintext");
    private static final List<String> ORIGINS = List.of("jwks", "keys", "pem", "secret");
    private static final String DISCOVERY =
            "{\"required\": [\"discovery\"], \"properties\": {\"discovery\": {\"const\": true}}}";
    private static final String OF_ISSUERS =
            """
            {"if": DISCOVERY, "then": {"required": ["issuer"], "properties": {"issuer": {"type": "string"}},
             "not": ORIGINS}, "else": ORIGINS}
            """.replace("DISCOVERY", DISCOVERY).replace("ORIGINS", JsonSchema.given(ORIGINS));
    private static final String ALGORITHMS = """
            {"if": SECRET, "then": {"properties": {"algorithms": {"items": {"pattern": "^HS"}}}},
             "else": {"properties": {"algorithms": {"items": {"not": {"pattern": "^HS"}}}}}}
            """.replace("SECRET", JsonSchema.given("secret"));

    private final ConfigNode node;
    private final Set<SigningAlgorithm> algorithms;
    private final boolean plaintext;

    private KeyOriginReader(ConfigNode node, Set<SigningAlgorithm> algorithms) {
        this.node = node;
        this.algorithms = algorithms;
        this.plaintext = node.field("allowPlaintext", "fetch keys in the clear from other machines too")
                .bool(false);
    }

    /// Keys that the definition says one by one, or a server tells.
    ///
    /// @param node holds the fields `jwks`, `keys`, `pem` and `secret`, of which one stands there
    /// @param algorithms that are read of the field `algorithms` beside them
    /// @param condition schema of a `node` that is read so, for descriptions
    public static KeyOrigin read(ConfigNode node, Set<SigningAlgorithm> algorithms, String condition) {
        node.obeys("{\"if\": " + condition + ", \"then\": " + JsonSchema.given(ORIGINS) + "}");
        return new KeyOriginReader(node, algorithms).read(false);
    }

    /// The server of the field `jwks`, where there is one.
    public static Optional<KeyOrigin.Server> readServer(ConfigNode node) {
        return readServer(node, "jwks", "URL of its key set");
    }

    /// The server of a field, where there is one.
    ///
    /// @param name of the field
    public static Optional<KeyOrigin.Server> readServer(ConfigNode node, String name, String meaning) {
        var reader = new KeyOriginReader(node, Set.of());
        ConfigNode url = node.field(name, meaning).form("URL");
        KeyOrigin.Server server = reader.server(url, false);
        KeyUrls.describe(node, name);
        if (url.isPresent()) return Optional.of(server);
        reader.refuseServerFields();
        return Optional.empty();
    }

    /// As [#read], or a server that the metadata of the `issuer` beside them names.
    public static KeyOrigin ofIssuer(ConfigNode node, Set<SigningAlgorithm> algorithms) {
        return new KeyOriginReader(node, algorithms).read(true);
    }

    private KeyOrigin read(boolean ofIssuer) {
        var jwks = node.field("jwks", "URL of its key set").form("URL");
        boolean discovered = ofIssuer
                && node.field(
                                "discovery",
                                "the key set is the one that the metadata of `issuer` names (OpenID, else OAuth)")
                        .bool(false);
        var keys = node.field("keys", "its key set, public keys only").form("JWK Set (RFC 7517) or resource");
        var pem = node.field("pem", "its public key or certificate").form("PEM text or resource");
        var secret = node.field("secret", "for HS algorithms: what signs, as UTF-8 or as JWK");
        long given =
                Stream.of(jwks, keys, pem, secret).filter(ConfigNode::isPresent).count() + (discovered ? 1 : 0);
        if (ofIssuer) describeDiscovery();
        node.apart("jwks", "keys", "pem", "secret")
                .apart("keys", "pem", "secret")
                .apart("pem", "secret")
                .obeys(ALGORITHMS);
        KeyUrls.describe(node, "jwks");
        if (given != 1) {
            node.problem(
                    "expected one of jwks, " + (ofIssuer ? "discovery, " : "") + "keys, pem and secret, got " + given);
        }
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

    private void describeDiscovery() {
        KeyUrls.describe(node.obeys(OF_ISSUERS), DISCOVERY, "issuer");
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
        else if (discovered && !node.field("issuer").isPresent())
            node.field("issuer").problem("expected one, to find its metadata, got nothing");
        else if (discovered) url = KeyUrls.read(node.field("issuer"), plaintext);
        CallTarget target = CallTargetReader.of(
                KeyUrls.origin(url.orElse(STAND_IN)),
                node.field("tls", "how the server of the keys is spoken to, as in an API's `upstream`"));
        Duration refresh = node.field("refresh", "age at which keys are fetched again, behind the requests")
                .duration(SHORTEST, LONGEST, Duration.ofMinutes(15));
        Duration stale = node.field("stale", "age up to which keys serve while their server is away")
                .duration(SHORTEST, Duration.ofDays(30), Duration.ofHours(24));
        Duration refetch = refetch(node);
        if (stale.compareTo(refresh) < 0)
            node.field("stale")
                    .problem("expected at least \"refresh\" , " + Durations.text(refresh) + ", got "
                            + Durations.text(stale));
        return new KeyOrigin.Server(
                url.orElse(STAND_IN), !jwks.isPresent(), plaintext, target, refresh, stale, refetch);
    }

    /// The field `refetch` of what tells whose keys are fetched.
    public static Duration refetch(ConfigNode node) {
        return node.field("refetch", "least time between fetches that unknown keys cause")
                .duration(SHORTEST, LONGEST, Duration.ofSeconds(30));
    }

    private KeyOrigin inline(ConfigNode field) {
        field.alternative("set", KeyOriginReader::describeSet);
        field.alternative("resource", ResourceReader::read);
        if (ResourceReader.isReference(field)) return new KeyOrigin.StoredSet(ResourceReader.read(field));
        if (!field.expectObject()) return new KeyOrigin.Inline("{\"keys\": []}");
        JsonNode set = field.json().orElseThrow();
        requireKeys(field, () -> LocalKeys.ofSet(set, algorithms));
        return new KeyOrigin.Inline(Json.compact(set));
    }

    /// For descriptions: what a key set in a definition looks like.
    public static void describeSet(ConfigNode set) {
        set.requireObject();
        ConfigNode keys = set.field("keys", "as JWK");
        if (!keys.isPresent()) keys.expected("an array");
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
