package gateway.policies.identity;

import gateway.config.OutageCase;
import gateway.http.Body;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.policies.cryptography.TokenSmith;
import gateway.policy.FakeServices;
import gateway.policy.PolicyType;
import gateway.policy.TroubledServices.Port;
import gateway.service.CallAnswer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// Where policies of this module ask something outside of the process.
final class IdentityOutages {
    private static final TokenSmith RSA = TokenSmith.of("RS256", "r1");
    private static final SamlSmith ASSERTIONS = SamlSmith.rsa(2048);
    private static final List<String> COVERED =
            List.of("\"@method\": GET", "\"@authority\": api.example.com", "\"@path\": /a", "\"@query\": ?x=1");
    private static final AtomicLong COUNT = new AtomicLong();

    private IdentityOutages() {}

    /// @param secret what every reference to a secret opens
    static List<OutageCase> of(PolicyType type, String secret) {
        return switch (type.name()) {
            case "jwt" -> tokens();
            case "http-signature" -> signatures(secret);
            case "saml" -> assertions();
            case "oidc" -> logins();
            case "oauth2-introspection" -> introspection();
            case "upstream-auth" ->
                List.of(OutageCase.of(
                        Port.SERVERS,
                        quoted("{'type': 'upstream-auth', 'oauth2': {'tokenUrl': 'https://id.example/token',"
                                + " 'client': {'id': 'gw', 'secret': {'secret': 'gw'}}}}"),
                        services -> PlayedProvider.in(services).gives("", "at", "rt", 60),
                        (_, _) -> Exchanges.get("/")));
            default -> List.of();
        };
    }

    private static String quoted(String text) {
        return text.replace('\'', '"');
    }

    private static void key(FakeServices services) {
        services.keys()
                .add(
                        "some-key",
                        new ApiKey(
                                "alice",
                                "alice",
                                true,
                                Optional.empty(),
                                Map.of("orders", ApiGrant.WHOLE),
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                Map.of()));
    }

    private static List<OutageCase> tokens() {
        String known = "'keys': {'keys': [" + RSA.jwk() + "]}";
        return List.of(
                OutageCase.of(Port.SHORT_TERM, jwt(known, "'once': true"), _ -> {}, (services, _) -> bearing(services)),
                OutageCase.of(
                        Port.KEYS,
                        jwt(known, "'consumer': {'key': 'sub'}"),
                        IdentityOutages::key,
                        (services, _) -> bearing(services)),
                OutageCase.of(
                        Port.SERVERS,
                        jwt("'jwks': 'https://id.example/keys'", "'once': false"),
                        services -> services.calls()
                                .serve(
                                        "https://id.example",
                                        _ -> PlayedProvider.json(200, "{\"keys\": [" + RSA.jwk() + "]}")),
                        (services, _) -> bearing(services)));
    }

    private static String jwt(String keys, String more) {
        return quoted("{'type': 'jwt', 'issuers': [{'issuer': 'https://id.example', " + keys
                + ", 'algorithms': ['RS256'], 'audiences': []}], " + more + '}');
    }

    private static Exchanges bearing(FakeServices services) {
        long end = services.clock().millis() / 1_000 + 60;
        String token = RSA.token(quoted("{'iss': 'https://id.example', 'sub': 'alice', 'exp': " + end + ", 'jti': 'id-"
                + COUNT.incrementAndGet() + "'}"));
        return Exchanges.get("/").with("Authorization", "Bearer " + token);
    }

    private static List<OutageCase> signatures(String secret) {
        String keys = "'keys': [{'id': 'k', 'algorithm': 'hmac-sha256', 'secret': {'secret': 'partner'}%s}]";
        return List.of(
                OutageCase.of(
                        Port.SHORT_TERM,
                        quoted("{'type': 'http-signature', 'once': true, " + keys.formatted("") + '}'),
                        _ -> {},
                        (services, _) -> signed(services, secret)),
                OutageCase.of(
                        Port.KEYS,
                        quoted("{'type': 'http-signature', " + keys.formatted(", 'key': 'alice'") + '}'),
                        IdentityOutages::key,
                        (services, _) -> signed(services, secret)));
    }

    private static Exchanges signed(FakeServices services, String secret) {
        String input = "(\"@method\" \"@authority\" \"@path\" \"@query\");created="
                + services.clock().millis() / 1_000 + ";keyid=\"k\";nonce=\"n" + COUNT.incrementAndGet() + '"';
        String base = String.join("\n", COVERED) + "\n\"@signature-params\": " + input;
        String signature = MessageSmith.sharing("hmac-sha256", secret).sign(base);
        return Exchanges.get("/a?x=1")
                .with("Signature-Input", "sig1=" + input)
                .with("Signature", "sig1=:" + signature + ':');
    }

    private static List<OutageCase> assertions() {
        String saml = "{'type': 'saml', 'from': 'header', 'audience': 'urn:orders', " + SamlCase.trust(ASSERTIONS)
                + ", 'recipient': 'https://api.example.com/orders'%s}";
        return List.of(
                OutageCase.of(
                        Port.SHORT_TERM, quoted(saml.formatted("")), _ -> {}, (services, _) -> assertion(services)),
                OutageCase.of(
                        Port.KEYS,
                        quoted(saml.formatted(", 'once': false, 'consumer': {'key': 'name-id'}")),
                        IdentityOutages::key,
                        (services, _) -> assertion(services)),
                OutageCase.of(
                        Port.SERVERS,
                        quoted(saml.formatted("")
                                .replace(
                                        SamlCase.trust(ASSERTIONS),
                                        "'trust': {'issuer': 'https://idp.example.com', 'metadataUrl':"
                                                + " 'https://id.example/saml'}")),
                        services -> services.calls()
                                .serve("https://id.example", _ -> told(SamlSmith.metadata("", ASSERTIONS))),
                        (services, _) -> assertion(services)),
                OutageCase.of(
                        Port.SERVERS,
                        quoted(saml.formatted(", 'validate': {'url': 'https://id.example/sts'}")),
                        services -> services.calls().serve("https://id.example", _ -> told(StsAnswers.saying("valid"))),
                        (services, _) -> assertion(services)));
    }

    private static CallAnswer told(String xml) {
        return new CallAnswer(200, Headers.create(), Body.of(xml.getBytes(StandardCharsets.UTF_8)));
    }

    private static Exchanges assertion(FakeServices services) {
        String id = "assertion" + COUNT.incrementAndGet();
        String xml = ASSERTIONS.sign(SamlSmith.assertion(id, services.clock().instant()), id);
        String text = Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
        return Exchanges.get("/").with("Authorization", "SAML " + text);
    }

    private static List<OutageCase> logins() {
        String oidc = quoted("{'type': 'oidc', 'issuer': 'https://id.example', 'callback': '/.auth/callback',"
                + " 'client': {'id': 'shop', 'secret': {'secret': 'shop'}},"
                + " 'session': {'key': {'secret': 'cookies'}}%s}");
        return List.of(
                OutageCase.of(
                        Port.SERVERS, oidc.formatted(""), PlayedProvider::in, (_, _) -> Visitor.navigation("GET", "/")),
                OutageCase.of(
                        Port.SHORT_TERM,
                        oidc.formatted(""),
                        PlayedProvider::in,
                        (services, gateway) -> comingBack(new Visitor(), services, gateway)),
                OutageCase.of(
                        Port.KEYS,
                        oidc.formatted(quoted(", 'consumer': {'key': 'sub'}")),
                        services -> {
                            PlayedProvider.in(services);
                            key(services);
                        },
                        IdentityOutages::loggedIn));
    }

    private static Exchanges comingBack(Visitor visitor, FakeServices services, Function<Exchanges, Response> gateway) {
        Response sent = visitor.visit(gateway, Visitor.navigation("GET", "/"));
        URI place = URI.create(sent.headers().first("Location").orElseThrow());
        FormParameters asked = FormParameters.parse(place.getRawQuery()).orElseThrow();
        PlayedProvider provider = PlayedProvider.in(services);
        provider.gives(provider.idToken(asked.text("nonce"), ""), "at-0", "rt-0", 300);
        return visitor.showing(Visitor.navigation(
                "GET", "/.auth/callback?code=c&iss=https%3A%2F%2Fid.example&state=" + asked.text("state")));
    }

    private static Exchanges loggedIn(FakeServices services, Function<Exchanges, Response> gateway) {
        var visitor = new Visitor();
        visitor.visit(gateway, comingBack(visitor, services, gateway));
        return visitor.showing(Visitor.navigation("GET", "/"));
    }

    private static List<OutageCase> introspection() {
        String policy = quoted("{'type': 'oauth2-introspection', 'url': 'https://id.example/introspect',"
                + " 'audiences': ['orders'], 'client': {'id': 'gw', 'secret': {'secret': 'gw'}}%s}");
        return List.of(
                OutageCase.of(Port.SERVERS, policy.formatted(""), IdentityOutages::active, (_, _) -> opaque()),
                OutageCase.of(
                        Port.KEYS,
                        policy.formatted(quoted(", 'consumer': {'key': 'sub'}")),
                        services -> {
                            active(services);
                            key(services);
                        },
                        (_, _) -> opaque()));
    }

    private static void active(FakeServices services) {
        long end = services.clock().millis() / 1_000 + 600;
        String answer = quoted("{'active': true, 'sub': 'alice', 'aud': 'orders', 'exp': " + end + '}');
        services.calls().serve("https://id.example", _ -> PlayedProvider.json(200, answer));
    }

    private static Exchanges opaque() {
        return Exchanges.get("/").with("Authorization", "Bearer token-" + COUNT.incrementAndGet());
    }
}
