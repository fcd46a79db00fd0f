package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.ClientCertificate;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.policies.cryptography.TokenSmith;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.SecretReference.Origin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

final class JwtTest {
    private static final TokenSmith RSA = TokenSmith.of("RS256", "r1");
    private static final TokenSmith EC = TokenSmith.of("ES256", "e1");
    private static final TokenSmith ED = TokenSmith.of("EdDSA", "d1");
    private static final String SECRET = "0123456789abcdef".repeat(4);

    private final FakeServices services = new FakeServices();
    private final long now = services.clock().millis() / 1_000;

    @Test
    void takes_tokens_of_every_algorithm_that_the_issuer_may_use() {
        for (String algorithm : List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")) {
            assertPasses(policy(keys(RSA, algorithm)), RSA.by(algorithm).token(claims("")));
        }
        for (String algorithm : List.of("ES256", "ES384", "ES512", "EdDSA")) {
            TokenSmith smith = TokenSmith.of(algorithm, "k");
            assertPasses(policy(keys(smith, algorithm)), smith.token(claims("")));
        }
        services.secrets().put(Origin.SECRET, "partner", SECRET);
        for (String algorithm : List.of("HS256", "HS384", "HS512")) {
            TokenSmith smith = TokenSmith.sharing(algorithm, SECRET.getBytes(StandardCharsets.UTF_8));
            assertPasses(policy(issuer("'secret': {'secret': 'partner'}", algorithm)), smith.token(claims("")));
        }
    }

    @Test
    void takes_the_examples_of_rfc_7515_in_2011() throws IOException {
        services.clock().set(Instant.ofEpochSecond(1_300_819_379)); // their `exp` is a second later
        Path examples = Path.of("../message/src/test/resources/jose/appendices.json");
        int taken = 0;
        for (JsonNode each : Json.parse(Files.readString(examples))) {
            if (!List.of("RFC 7515 A.1", "RFC 7515 A.2", "RFC 7515 A.3")
                    .contains(each.get("name").stringValue())) continue;
            boolean shared = each.at("/key/kty").stringValue().equals("oct");
            services.secrets().put(Origin.SECRET, "a1", each.get("key").toString());
            String json = issuer(
                            shared ? "'secret': {'secret': 'a1'}" : "'keys': {'keys': [" + each.get("key") + "]}",
                            each.get("alg").stringValue())
                    .replace("https://id.example", "joe");
            assertPasses(
                    policy("{'issuers': [" + json + "], 'consumer': {'id': 'iss'}}"),
                    each.get("text").stringValue());
            taken++;
        }
        assertThat(taken).isEqualTo(3);
    }

    @Test
    void takes_a_shared_secret_as_a_set_of_jwks_while_one_takes_the_place_of_another() {
        var octets = new byte[40];
        Arrays.fill(octets, (byte) 0xff); // of which no text is UTF-8
        String both = "{\"keys\": [{\"kty\": \"oct\", \"k\": \"" + "A".repeat(54) + "\"},"
                + " {\"kty\": \"oct\", \"k\": \""
                + Base64.getUrlEncoder().withoutPadding().encodeToString(octets) + "\"}]}";
        services.secrets().put(Origin.SECRET, "both", both);
        services.secrets().put(Origin.SECRET, "odd", "{not JSON, but a secret all the same}");
        services.secrets().put(Origin.SECRET, "pem", RSA.pem());
        Policy policy = policy(issuer("'secret': {'secret': 'both'}", "HS256"));

        assertThatThrownBy(() -> policy(issuer("'secret': {'secret': 'pem'}", "HS256")))
                .hasMessageContaining("/issuers/0/secret: expected a text or a JWK with \"kty\" oct");

        assertPasses(policy, TokenSmith.sharing("HS256", octets).token(claims("")));
        assertPasses(policy, TokenSmith.sharing("HS256", new byte[40]).token(claims("")));
        assertRefused(
                policy,
                TokenSmith.sharing("HS256", both.getBytes(StandardCharsets.UTF_8))
                        .token(claims("")));
        assertPasses(
                policy(issuer("'secret': {'secret': 'odd'}", "HS256")),
                TokenSmith.sharing("HS256", "{not JSON, but a secret all the same}".getBytes(StandardCharsets.UTF_8))
                        .token(claims("")));
    }

    @Test
    void takes_a_public_key_as_pem_whatever_kid_the_token_names() {
        for (TokenSmith smith : List.of(RSA, EC, ED)) {
            String pem = smith.pem().replace("\n", "\\n").replace("\r", "");
            Policy policy = policy(issuer("'pem': '" + pem + "'", "RS256', 'ES256', 'EdDSA"));

            assertPasses(policy, smith.token(claims("")));
        }
    }

    @Test
    void takes_keys_that_are_stored_as_a_resource() {
        services.putResource("partner.jwks", "{\"keys\": [" + RSA.jwk().replace('\'', '"') + "]}");
        services.putResource("partner.pem", EC.pem());

        assertPasses(policy(issuer("'keys': {'resource': 'partner.jwks'}", "RS256")), RSA.token(claims("")));
        assertPasses(policy(issuer("'pem': {'resource': 'partner.pem'}", "ES256")), EC.token(claims("")));
        assertRefused(policy(issuer("'pem': {'resource': 'partner.pem'}", "ES256")), RSA.token(claims("")));
    }

    @Test
    void what_a_resource_said_before_signs_nothing_once_it_says_something_else() {
        TokenSmith next = TokenSmith.of("RS256", "r1");
        String json = issuer("'keys': {'resource': 'partner.jwks'}", "RS256");
        services.putResource("partner.jwks", "{\"keys\": [" + RSA.jwk().replace('\'', '"') + "]}");
        String token = RSA.token(claims(""));
        assertPasses(policy(json), token);

        services.putResource("partner.jwks", "{\"keys\": [" + next.jwk().replace('\'', '"') + "]}");

        assertRefused(policy(json), token);
        assertPasses(policy(json), next.token(claims("")));
    }

    @Test
    void a_resource_without_a_key_for_the_algorithms_is_refused_where_it_is_named() {
        services.putResource("private.jwks", "{\"keys\": [{\"kty\": \"oct\", \"k\": \"AAAA\"}]}");
        services.putResource("ed.pem", ED.pem());
        services.putResource("text", "no key");
        for (String[] each : List.of(
                new String[] {"keys", "private.jwks", "expected public keys only, got a private key or a secret"},
                new String[] {"keys", "text", "not valid JSON"},
                new String[] {"keys", "none", "unknown resource \"none\""},
                new String[] {"pem", "ed.pem", "expected a key for one of the algorithms"},
                new String[] {"pem", "text", "expected a key for one of the algorithms"})) {
            String json = issuer("'" + each[0] + "': {'resource': '" + each[1] + "'}", "RS256");

            assertThatThrownBy(() -> policy(json))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageStartingWith("/issuers/0/" + each[0] + ": " + each[2]);
        }
    }

    @Test
    void names_the_caller_by_its_claims_and_leaves_them_as_facts() {
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256") + "], 'consumer': {'name': 'email',"
                + " 'tags': '/realm_access/roles', 'metadata': {'tenant': 'tenant', 'level': 'level', 'none': 'x'}}}");
        Exchange exchange = bearing(RSA.token(claims(
                "'email': 'a@b.example', 'tenant': 'gold', 'level': 3, 'realm_access': {'roles': ['reader', 'x']}")));

        assertThat(stop(policy, exchange)).isEmpty();

        Consumer caller = exchange.consumer().orElseThrow();
        assertThat(caller.id()).isEqualTo("jwt:id.example/alice");
        assertThat(caller.name()).isEqualTo("a@b.example");
        assertThat(caller.tags()).containsExactly("reader", "x");
        assertThat(caller.metadata()).isEqualTo(Map.of("tenant", "gold", "level", "3"));
        assertThat(exchange.fact(JsonPointer.compile("/jwt/tenant"))
                        .orElseThrow()
                        .stringValue())
                .isEqualTo("gold");
        assertThat(exchange.fact(JsonPointer.compile("/claims/tenant"))).isPresent();
        assertThat(exchange.headers().contains("Authorization")).isFalse();
    }

    @Test
    void callers_of_two_realms_of_one_host_are_two() {
        Policy policy = policy(keys(RSA, "RS256").replace("https://id.example'", "https://id.example/realms/a'") + ", "
                + keys(EC, "ES256").replace("https://id.example'", "https://id.example/realms/b'"));

        assertThat(caller(policy, RSA.token(claims("").replace("id.example", "id.example/realms/a"))))
                .isEqualTo("jwt:id.example;realms;a/alice");
        assertThat(caller(policy, EC.token(claims("").replace("id.example", "id.example/realms/b"))))
                .isEqualTo("jwt:id.example;realms;b/alice");
    }

    private String caller(Policy policy, String token) {
        Exchange exchange = bearing(token);
        assertThat(stop(policy, exchange)).isEmpty();
        return exchange.consumer().orElseThrow().id();
    }

    @Test
    void a_scope_parted_by_blanks_makes_tags() {
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256") + "], 'consumer': {'tags': 'scope'}}");
        Exchange exchange = bearing(RSA.token(claims("'scope': 'read  write'")));

        assertThat(stop(policy, exchange)).isEmpty();
        assertThat(exchange.consumer().orElseThrow().tags()).containsExactly("read", "write");
    }

    @Test
    void says_that_the_token_is_missing_and_what_is_asked_for() {
        Policy policy = policy(keys(RSA, "RS256"));
        for (Exchanges request : List.of(
                Exchanges.get("/"),
                Exchanges.get("/").with("Authorization", "Basic YTpi"),
                Exchanges.get("/").with("Authorization", "Bearer"),
                Exchanges.get("/").with("Authorization", "Bearerx.y.z"))) {
            Response stop = stop(policy, request.make()).orElseThrow();

            assertThat(stop.status()).isEqualTo(401);
            assertThat(stop.headers().first("WWW-Authenticate")).contains("Bearer realm=\"orders\"");
            assertThat(detail(stop)).isEqualTo("The token is missing");
        }
    }

    @Test
    void looks_in_cookie_query_and_header_and_takes_the_token_out() {
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256")
                + "], 'cookie': 'at', 'query': 'access_token', 'header': 'X-Token'}");
        String token = RSA.token(claims(""));
        Exchange cookie =
                Exchanges.get("/").with("Cookie", "a=1; at=" + token + "; b=2").make();
        Exchange query = Exchanges.get("/?a=1&access_token=" + token).make();
        Exchange header = Exchanges.get("/").with("X-Token", token).make();

        assertThat(List.of(stop(policy, cookie), stop(policy, query), stop(policy, header)))
                .containsOnly(Optional.empty());
        assertThat(cookie.headers().first("Cookie")).contains("a=1; b=2");
        assertThat(query.outgoing().query()).isEqualTo("a=1");
        assertThat(header.headers().contains("X-Token")).isFalse();
    }

    @Test
    void several_tokens_are_a_bad_request_wherever_they_stand() {
        Policy policy = policy(
                "{'issuers': [" + keys(RSA, "RS256") + "], 'cookie': 'at', 'query': 't', 'header': 'Authorization'}");
        String token = RSA.token(claims(""));
        for (Exchanges request : List.of(
                Exchanges.get("/?t=" + token).with("Authorization", "Bearer " + token),
                Exchanges.get("/?t=" + token + "&%74=" + token),
                Exchanges.get("/").with("Cookie", "at=" + token + "; at=x"),
                Exchanges.get("/").with("Authorization", "Bearer " + token).with("Authorization", "bearer " + token))) {
            Response stop = stop(policy, request.make()).orElseThrow();

            assertThat(stop.status()).isEqualTo(400);
            assertThat(problem(stop)).isEqualTo("ambiguous-credentials");
        }
    }

    @Test
    void asks_for_nothing_where_authentication_is_waived_and_takes_the_token_out_still() {
        Exchange exchange = bearing("whatever");
        exchange.waiveAuthentication();

        assertThat(stop(policy(keys(RSA, "RS256")), exchange)).isEmpty();
        assertThat(exchange.consumer()).isEmpty();
        assertThat(exchange.headers().contains("Authorization")).isFalse();
    }

    @Test
    void leaves_the_token_to_the_upstream_where_that_is_wished() {
        Exchange exchange = bearing(RSA.token(claims("")));

        assertThat(stop(policy("{'issuers': [" + keys(RSA, "RS256") + "], 'forwardCredential': true}"), exchange))
                .isEmpty();
        assertThat(exchange.headers().contains("Authorization")).isTrue();
    }

    @Test
    void no_algorithm_is_taken_that_the_issuer_does_not_use_and_none_is_none() {
        Policy policy = policy(keys(RSA, "RS256"));
        String claims = claims("");
        for (String algorithm : List.of("none", "None", "NONE", "nOnE", "", "HS256", "RS512", "rs256", "RS256 ")) {
            String header = "{\"alg\": \"" + algorithm + "\", \"kid\": \"r1\"}";
            String unsigned = TokenSmith.text(header.getBytes(StandardCharsets.UTF_8))
                    + '.'
                    + TokenSmith.text(claims.getBytes(StandardCharsets.UTF_8))
                    + '.';

            assertRefused(policy, unsigned);
            assertRefused(policy, RSA.token(header, claims));
        }
    }

    @Test
    void a_public_key_is_no_secret() {
        Policy policy = policy(issuer("'keys': {'keys': [" + RSA.jwk() + "]}", "RS256"));
        for (byte[] secret : List.of(
                RSA.publicKey().getEncoded(),
                RSA.pem().getBytes(StandardCharsets.UTF_8),
                RSA.jwk().getBytes(StandardCharsets.UTF_8))) {
            TokenSmith liar = TokenSmith.sharing("HS256", secret);

            assertRefused(policy, liar.token("{\"alg\": \"HS256\", \"kid\": \"r1\"}", claims("")));
        }
    }

    @Test
    void a_token_of_one_issuer_is_not_taken_under_the_key_of_another() {
        TokenSmith other = TokenSmith.of("RS256", "r1");
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256") + ", "
                + keys(other, "RS256").replace("https://id.example", "https://other.example") + "]}");
        String ofOther = claims("").replace("https://id.example", "https://other.example");

        assertPasses(policy, RSA.token(claims("")));
        assertPasses(policy, other.token(ofOther));
        assertRefused(policy, RSA.token(ofOther));
        assertRefused(policy, other.token(claims("")));
        assertRefused(policy, RSA.token(claims("").replace("https://id.example", "https://id.example/")));
        assertRefused(policy, RSA.token("{\"sub\": \"alice\", \"exp\": " + (now + 60) + "}"));
    }

    @Test
    void keys_that_the_token_brings_along_are_not_looked_at() {
        TokenSmith liar = TokenSmith.of("RS256", "r1");
        Policy policy = policy(keys(RSA, "RS256"));
        for (String member : List.of(
                "\"jwk\": " + liar.jwk(),
                "\"jku\": \"https://evil.example/keys\"",
                "\"x5u\": \"https://evil.example/cert\"",
                "\"x5c\": [\"AAAA\"]")) {
            assertRefused(policy, liar.token("{\"alg\": \"RS256\", \"kid\": \"r1\", " + member + "}", claims("")));
            assertPasses(policy, RSA.token("{\"alg\": \"RS256\", \"kid\": \"r1\", " + member + "}", claims("")));
        }
        assertThat(services.calls().asked()).isEmpty();
    }

    @Test
    void a_key_that_is_named_by_whatever_text_is_unknown() {
        Policy policy = policy(keys(RSA, "RS256"));
        for (String kid : List.of("../r1", "r1' OR '1'='1", "r1\\u0000", "R1", "x".repeat(10_000))) {
            assertRefused(policy, RSA.token("{\"alg\": \"RS256\", \"kid\": \"" + kid + "\"}", claims("")));
        }
        assertRefused(policy, RSA.token("{\"alg\": \"RS256\", \"kid\": 1}", claims("")));
        assertPasses(policy, RSA.token("{\"alg\": \"RS256\"}", claims("")));
    }

    @Test
    void what_is_no_strict_token_is_refused() {
        Policy policy = policy(keys(RSA, "RS256"));
        String good = RSA.token(claims(""));
        String header = good.substring(0, good.indexOf('.'));
        for (String token : List.of(
                "x",
                "..",
                "a.b",
                good + ".x",
                good + ".a.b",
                good + "=",
                good.substring(0, good.length() - 1) + "*",
                good.replaceFirst("\\.", ". "),
                header + "." + header + ".",
                "x".repeat(CompactToken.LONGEST + 1),
                RSA.token("{\"alg\": \"RS256\", \"alg\": \"RS256\"}", claims("")),
                RSA.token("{\"alg\": \"RS256\", \"crit\": [\"exp\"]}", claims("")),
                RSA.token("{\"alg\": \"RS256\", \"crit\": []}", claims("")),
                RSA.token("{\"alg\": \"RS256\", \"b64\": true}", claims("")),
                RSA.token("{\"alg\": \"RS256\"} x", claims("")),
                RSA.token("[]", claims("")),
                RSA.token("{\"alg\": \"RS256\"}", claims("").replace("{", "{\"sub\": \"bob\", ")),
                RSA.token("{\"alg\": \"RS256\"}", "[".repeat(1_000)),
                RSA.token("{\"alg\": \"RS256\"}", "\"alice\""))) {
            assertRefused(policy, token);
        }
    }

    @Test
    void another_text_of_the_same_signature_is_another_token() {
        Policy policy = policy(keys(RSA, "RS256"));
        String good = RSA.token(claims("")); // 256 octets: the last letter has four bits that mean nothing
        assertPasses(policy, good);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        int last = alphabet.indexOf(good.charAt(good.length() - 1));

        assertThat(last % 16).isZero();
        assertRefused(policy, good.substring(0, good.length() - 1) + alphabet.charAt(last + 1));
    }

    @Test
    void signatures_that_sign_everything_are_refused() {
        Policy policy = policy("{'issuers': ["
                + issuer("'keys': {'keys': [" + EC.jwk() + ", " + ED.jwk() + "]}", "ES256', 'EdDSA") + "]}");
        String good = EC.token(claims(""));
        String signed = good.substring(0, good.lastIndexOf('.') + 1);
        String byEd = ED.token(claims(""));
        assertPasses(policy, good);
        assertPasses(policy, byEd);

        for (byte[] signature : List.of(new byte[64], new byte[63], new byte[65], new byte[0], der(), order())) {
            assertRefused(policy, signed + TokenSmith.text(signature));
        }
        assertRefused(policy, byEd.substring(0, byEd.lastIndexOf('.') + 1) + TokenSmith.text(new byte[64]));
    }

    private static byte[] der() {
        return HexFormat.of().parseHex("3006020100020100");
    }

    /// r = s = n of P-256, which is nothing again.
    private static byte[] order() {
        return HexFormat.of().parseHex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551".repeat(2));
    }

    @Test
    void keys_that_are_weak_or_for_something_else_are_none() {
        TokenSmith weak = TokenSmith.rsa(1024, "w");
        String small = "{'kty': 'OKP', 'crv': 'Ed25519', 'kid': 'w', 'x': '" + "A".repeat(43) + "'}";
        String offCurve = "{'kty': 'EC', 'crv': 'P-256', 'kid': 'w', 'x': '" + "A".repeat(42) + "E', 'y': '"
                + "A".repeat(42) + "E'}";
        String forEncryption = RSA.jwk().replaceFirst("\\{", "{\"use\": \"enc\", ");
        String forOperations = RSA.jwk().replaceFirst("\\{", "{\"key_ops\": [\"encrypt\"], ");
        for (String key : List.of(weak.jwk(), small, offCurve, forEncryption, forOperations, "{}", "7")) {
            assertThat(problems("{'issuers': [" + issuer("'keys': {'keys': [" + key + "]}", "RS256', 'ES256', 'EdDSA")
                            + "]}"))
                    .as(key)
                    .singleElement()
                    .asString()
                    .startsWith("/issuers/0/keys: expected a key for one of the algorithms");
        }
    }

    @Test
    void a_key_for_one_algorithm_is_not_used_with_another() {
        String declared = RSA.jwk().replaceFirst("\\{", "{\"alg\": \"RS256\", ");
        Policy policy = policy(issuer("'keys': {'keys': [" + declared + "]}", "RS256', 'PS256"));

        assertPasses(policy, RSA.token(claims("")));
        assertRefused(policy, RSA.by("PS256").token(claims("")));
    }

    @Test
    void times_hold_to_the_second_with_what_clocks_may_differ() {
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256") + "], 'clockSkew': '10s'}");

        assertPasses(policy, times("'exp': " + (now - 9)));
        assertThat(detail(stop(policy, bearing(times("'exp': " + (now - 10)))).orElseThrow()))
                .isEqualTo("The token is expired");
        assertPasses(policy, times("'exp': " + (now + 60) + ", 'nbf': " + (now + 10)));
        assertRefused(policy, times("'exp': " + (now + 60) + ", 'nbf': " + (now + 11)));
        assertRefused(policy, times("'exp': " + (now + 60) + ", 'iat': " + (now + 11)));
        assertPasses(policy, times("'exp': " + (now + 60) + ".75, 'iat': " + (now - 5) + ".25"));
    }

    @Test
    void a_time_that_is_none_is_refused() {
        Policy policy = policy(keys(RSA, "RS256"));
        for (String exp : List.of(
                "'" + (now + 60) + "'",
                "1e308",
                "1e999",
                "-1",
                "9223372036854775808",
                "null",
                "true",
                "[1]",
                "{}",
                "0")) {
            Response stop = stop(policy, bearing(times("'exp': " + exp))).orElseThrow();
            assertThat(stop.status()).as(exp).isEqualTo(401);
        }
        assertRefused(policy, times("'exp': " + (now + 60) + ", 'nbf': 'now'"));
        assertRefused(policy, times("'nbf': 1"));
    }

    @Test
    void a_token_without_an_end_is_taken_only_where_that_is_said() {
        assertPasses(policy("{'issuers': [" + keys(RSA, "RS256") + "], 'requireExpiry': false}"), times("'x': 1"));

        Policy bounded = policy("{'issuers': [" + keys(RSA, "RS256") + "], 'maxAge': '1h'}");
        assertPasses(bounded, times("'iat': " + now + ", 'exp': " + (now + 3_600)));
        assertRefused(bounded, times("'iat': " + now + ", 'exp': " + (now + 3_601)));
        assertRefused(bounded, times("'exp': " + (now + 60)));
    }

    @Test
    void a_remembered_token_ends_when_it_ends() {
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256") + "], 'clockSkew': '0s', 'cacheFor': '1h'}");
        String token = times("'exp': " + (now + 60));
        assertPasses(policy, token);
        assertPasses(policy, token);

        services.clock().advance(Duration.ofSeconds(60));

        assertThat(detail(stop(policy, bearing(token)).orElseThrow())).isEqualTo("The token is expired");
    }

    @Test
    void a_remembered_token_is_not_verified_again() {
        Policy policy = policy(keys(RSA, "RS256"));
        String token = RSA.token(claims(""));
        for (int i = 0; i < 5; i++) assertPasses(policy, token);
        assertRefused(policy, "x");

        assertThat(List.of(tokens("remembered"), tokens("verified"), tokens("refused")))
                .containsExactly(4.0, 1.0, 1.0);
    }

    private double tokens(String result) {
        return services.meters()
                .get("gateway.tokens")
                .tags("policy", "jwt", "result", result)
                .counter()
                .count();
    }

    @Test
    void what_other_policies_ask_is_not_taken_for_asked() {
        String token = RSA.token(claims("'aud': 'orders'"));
        assertPasses(policy("{'issuers': [" + keys(RSA, "RS256") + "]}"), token);

        Policy forOthers = policy(
                "{'issuers': [" + keys(RSA, "RS256").replace("'audiences': []", "'audiences': ['billing']") + "]}");

        assertRefused(forOthers, token);
    }

    @Test
    void one_of_the_audiences_has_to_be_there() {
        Policy policy = policy(keys(RSA, "RS256").replace("'audiences': []", "'audiences': ['orders', 'billing']"));

        for (String aud : List.of("'orders'", "['x', 'billing']")) assertPasses(policy, token("'aud': " + aud));
        for (String aud :
                List.of("'x'", "[]", "['x']", "[['orders']]", "['orders', ['x']]", "{'orders': 1}", "null", "7"))
            assertRefused(policy, token("'aud': " + aud));
        assertRefused(policy, token("'other': 'orders'"));
    }

    @Test
    void the_type_is_one_that_is_taken() {
        Policy usual = policy(keys(RSA, "RS256"));
        Policy strict = policy(keys(RSA, "RS256").replace("'audiences'", "'types': ['at+jwt'], 'audiences'"));

        for (String typ : List.of("JWT", "jwt", "at+jwt", "application/at+jwt")) assertPasses(usual, typed(typ));
        for (String typ : List.of("logout+jwt", "dpop+jwt", "secevent+jwt")) assertRefused(usual, typed(typ));
        assertPasses(strict, typed("application/AT+JWT"));
        assertRefused(strict, typed("JWT"));
        assertRefused(strict, RSA.token("{\"alg\": \"RS256\"}", claims("")));
    }

    @Test
    void required_claims_have_one_of_their_values() {
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256")
                + "], 'requireClaims': {'tenant': ['a', 'b'], '/realm/roles': ['admin'], 'level': ['3'], 'jti': '*'}}");

        assertPasses(policy, token("'tenant': 'b', 'realm': {'roles': ['x', 'admin']}, 'level': 3, 'jti': ''"));
        assertRefused(policy, token("'tenant': 'c', 'realm': {'roles': ['x', 'admin']}, 'level': 3, 'jti': 'x'"));
        assertRefused(policy, token("'tenant': 'b', 'realm': {'roles': ['x']}, 'level': 3, 'jti': 'x'"));
        assertRefused(policy, token("'tenant': 'b', 'realm': {'roles': ['admin']}, 'level': 3"));
        assertRefused(policy, token("'tenant': [['b']], 'realm': {'roles': ['admin']}, 'level': 3, 'jti': 'x'"));
    }

    @Test
    void a_token_that_does_not_say_who_calls_is_refused() {
        Policy policy = policy(keys(RSA, "RS256"));
        for (String sub : List.of("''", "null", "{}", "['alice']", "'" + "x".repeat(257) + "'")) {
            assertRefused(
                    policy,
                    RSA.token(("{'iss': 'https://id.example', 'exp': " + (now + 60) + ", 'sub': " + sub + "}")
                            .replace('\'', '"')));
        }
    }

    @Test
    void a_token_is_taken_once_where_that_is_said() {
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256") + "], 'once': true}");
        String token = token("'jti': 'id-1'");

        assertPasses(policy, token);
        assertRefused(policy, token);
        assertRefused(policy, token("'jti': 'id-1', 'other': 1"));
        assertPasses(policy, token("'jti': 'id-2'"));
        assertRefused(policy, token("'other': 1"));
    }

    /// Its end is that of the node that took it first; here another one's clock is behind.
    @Test
    void a_token_that_was_taken_is_known_for_as_long_as_any_node_takes_it() {
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256") + "], 'once': true}");
        String token = token("'jti': 'id-1'"); // for a minute, and half a minute of skew
        assertPasses(policy, token);

        services.shortTerm().isAhead(Duration.ofSeconds(30));
        services.clock().advance(Duration.ofSeconds(90).minusMillis(1));

        assertRefused(policy, token);
    }

    @Test
    void a_token_is_bound_to_the_certificate_that_it_names() {
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256") + "], 'boundTo': 'certificate'}");
        byte[] digest = new byte[32];
        digest[0] = 7;
        String thumbprint = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        String token = token("'cnf': {'x5t#S256': '" + thumbprint + "'}");
        var own = new ClientCertificate(HexFormat.of().formatHex(digest), new X500Principal("CN=a"));
        var other = new ClientCertificate("00".repeat(32), new X500Principal("CN=a"));

        assertThat(stop(policy, with(token).showing(own).make())).isEmpty();
        assertThat(stop(policy, with(token).showing(other).make())).isPresent();
        assertThat(stop(policy, with(token).make())).isPresent();
        assertThat(stop(policy, with(token("'x': 1")).showing(own).make())).isPresent();
    }

    @Test
    void a_caller_with_a_key_may_what_the_key_may() {
        ApiKey alice = services.keys().add("s3cret", key());
        Policy policy = policy("{'issuers': [" + keys(RSA, "RS256") + "], 'consumer': {'key': 'gateway_key'}}");
        Exchange exchange = bearing(token("'gateway_key': '" + alice.id() + "'"));

        assertThat(stop(policy, exchange)).isEmpty();
        assertThat(exchange.consumer()).contains(alice);
        assertThat(detail(stop(policy, bearing(token("'gateway_key': 'key_none'")))
                        .orElseThrow()))
                .isEqualTo("The token's API key does not exist");
        assertRefused(policy, token("'x': 1"));
    }

    @Test
    void a_secret_that_is_too_short_is_told_when_the_definition_is_compiled() {
        services.secrets().put(Origin.SECRET, "partner", "x".repeat(40));

        assertPasses(
                policy(issuer("'secret': {'secret': 'partner'}", "HS256")),
                TokenSmith.sharing("HS256", "x".repeat(40).getBytes(StandardCharsets.UTF_8))
                        .token(claims("")));
        assertThatThrownBy(() -> policy(issuer("'secret': {'secret': 'partner'}", "HS384")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessage("/issuers/0/secret: expected a secret of at least 48 bytes for HS384");
    }

    @Test
    void tells_what_is_wrong_with_a_definition() {
        assertThat(problems("{}")).containsExactly("/issuers: expected 1 to 32 issuers, got 0");
        assertThat(problems("{'issuers': [{}]}"))
                .contains(
                        "/issuers/0/algorithms: expected at least one algorithm, got none",
                        "/issuers/0: expected one of jwks, discovery, keys, pem and secret, got 0",
                        "/issuers/0/audiences: expected an array, got nothing; [] says any on purpose",
                        "/issuers/0: expected a name, since there is no URL to take it of");
        assertThat(problems("{'issuers': [" + issuer("'jwks': 'http://id.example/keys'", "RS256") + "]}"))
                .containsExactly(
                        "/issuers/0/jwks: expected https://, since \"allowPlaintext\" is not true, got http://");
        assertThat(problems("{'issuers': [" + issuer("'jwks': 'https://id.example/keys'", "HS256") + "]}"))
                .containsExactly("/issuers/0/algorithms: expected no HS256 without secret");
        assertThat(problems("{'issuers': [" + issuer("'secret': {'secret': 'x'}", "RS256") + "]}"))
                .containsExactly("/issuers/0/algorithms: expected HS algorithms with secret");
        assertThat(problems("{'issuers': [" + keys(RSA, "none") + "]}"))
                .anyMatch(each -> each.startsWith("/issuers/0/algorithms/0: expected one of RS256, "));
        assertThat(problems("{'issuers': [" + keys(RSA, "RS256").replace("'audiences'", "'refresh': '1m', 'audiences'")
                        + "]}"))
                .containsExactly("/issuers/0/refresh: expected nothing, since its keys are not fetched");
        assertThat(problems(
                        "{'issuers': [" + issuer("'keys': {'keys': [{'kty': 'oct', 'k': 'AAAA'}]}", "RS256") + "]}"))
                .containsExactly("/issuers/0/keys: expected public keys only, got a private key or a secret");
        assertThat(problems("{'issuers': [" + keys(RSA, "RS256") + "], 'once': true, 'requireExpiry': false}"))
                .containsExactly("/once: expected false, since tokens without exp are taken");
    }

    private String token(String more) {
        return RSA.token(claims(more));
    }

    private String times(String times) {
        return RSA.token(("{'iss': 'https://id.example', 'sub': 'alice', " + times + "}").replace('\'', '"'));
    }

    private String typed(String typ) {
        return RSA.token("{\"alg\": \"RS256\", \"typ\": \"" + typ + "\"}", claims(""));
    }

    private String claims(String more) {
        String usual = "{'iss': 'https://id.example', 'sub': 'alice', 'exp': " + (now + 60);
        return (usual + (more.isEmpty() ? "" : ", " + more) + "}").replace('\'', '"');
    }

    private static String keys(TokenSmith smith, String algorithm) {
        return issuer("'keys': {'keys': [" + smith.jwk() + "]}", algorithm);
    }

    private static String issuer(String keys, String algorithms) {
        return "{'issuer': 'https://id.example', " + keys + ", 'algorithms': ['" + algorithms + "'], 'audiences': []}";
    }

    private static ApiKey key() {
        return new ApiKey(
                "",
                "alice",
                true,
                Optional.empty(),
                Map.of("orders", ApiGrant.WHOLE),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
    }

    private Policy policy(String json) {
        String whole = json.startsWith("{'issuers'") ? json : "{'issuers': [" + json + "]}";
        var node = ConfigNode.parse(whole.replace('\'', '"'));
        Jwt spec = new Jwt.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec.compile(new PolicyPlace("orders", "jwt"), services);
    }

    private static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        new Jwt.Type().read(node);
        node.refuseUnknownFields();
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }

    private static Exchanges with(String token) {
        return Exchanges.get("/").with("Authorization", "Bearer " + token);
    }

    private static Exchange bearing(String token) {
        return with(token).make();
    }

    private static Optional<Response> stop(Policy policy, Exchange exchange) {
        return switch (policy.apply(exchange)) {
            case Verdict.Stop(Response response) -> Optional.of(response);
            case Verdict.Answer(Response response, var _) -> Optional.of(response);
            case Verdict.Proceed(var _) -> Optional.empty();
        };
    }

    private static void assertPasses(Policy policy, String token) {
        assertThat(stop(policy, bearing(token)).map(JwtTest::detail)).as(token).isEmpty();
    }

    private static void assertRefused(Policy policy, String token) {
        Response stop = stop(policy, bearing(token)).orElseThrow(() -> new AssertionError("passed: " + token));
        assertThat(stop.status()).isEqualTo(401);
        assertThat(detail(stop)).isEqualTo("The token is invalid");
        assertThat(stop.headers().first("WWW-Authenticate"))
                .contains("Bearer realm=\"orders\", error=\"invalid_token\"");
    }

    private static String detail(Response response) {
        return member(response, "detail");
    }

    private static String problem(Response response) {
        return member(response, "type").replace("urn:gateway:problem:", "");
    }

    private static String member(Response response, String name) {
        byte[] content = response.body().bytes(Long.MAX_VALUE);
        return Json.parse(new String(content, StandardCharsets.UTF_8)).get(name).stringValue();
    }
}
