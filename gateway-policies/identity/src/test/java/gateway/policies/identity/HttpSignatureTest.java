package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import gateway.key.KeyCredential;
import gateway.policies.cryptography.MessageAlgorithm;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.DependencyException;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;

/// Signatures after RFC 9421.
final class HttpSignatureTest {
    private static final MessageSmith ED = MessageSmith.of("ed25519");
    private static final String SECRET = "0123456789abcdef".repeat(2);
    private static final List<String> USUAL =
            List.of("\"@method\": GET", "\"@authority\": api.example.com", "\"@path\": /a", "\"@query\": ?x=1");

    private final FakeServices services = new FakeServices();
    private final long now = services.clock().millis() / 1_000;

    @Test
    void takes_signatures_of_every_algorithm_by_its_own_key_only() {
        services.secrets().put(Origin.SECRET, "partner", SECRET);
        for (String algorithm :
                List.of("ed25519", "rsa-pss-sha512", "rsa-v1_5-sha256", "ecdsa-p256-sha256", "ecdsa-p384-sha384")) {
            MessageSmith smith = MessageSmith.of(algorithm);
            Policy policy = policy(key("k", algorithm, smith));

            assertPasses(policy, signed(smith, USUAL, params("k")));
            assertPasses(policy, signed(smith, USUAL, params("k") + ";alg=\"" + algorithm + '"'));
            assertRefused(policy, signed(MessageSmith.of(algorithm), USUAL, params("k")));
        }
        for (String algorithm : List.of("hmac-sha256", "hmac-sha512")) {
            Policy policy = policy("{'id': 'k', 'algorithm': '" + algorithm + "', 'secret': {'secret': 'partner'}}");

            assertPasses(policy, signed(MessageSmith.sharing(algorithm, SECRET), USUAL, params("k")));
            assertRefused(policy, signed(MessageSmith.sharing(algorithm, SECRET + "x"), USUAL, params("k")));
        }
    }

    @Test
    void takes_a_public_key_that_is_stored_as_a_resource() {
        String json = "{'id': 'k', 'algorithm': 'ed25519', 'pem': {'resource': 'partner.pem'}}";
        services.putResource("partner.pem", ED.pem().replace("\\n", "\n"));

        assertPasses(policy(json), signed(ED, USUAL, params("k")));
        assertRefused(policy(json), signed(MessageSmith.of("ed25519"), USUAL, params("k")));
    }

    @Test
    void a_resource_that_is_no_key_for_the_algorithm_is_refused_where_it_is_named() {
        services.putResource("rsa.pem", MessageSmith.of("rsa-pss-sha512").pem().replace("\\n", "\n"));
        services.putResource("text", "no key");
        for (String resource : List.of("rsa.pem", "text", "none")) {
            String json = "{'id': 'k', 'algorithm': 'ed25519', 'pem': {'resource': '" + resource + "'}}";

            assertThatThrownBy(() -> policy(json))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageStartingWith("/keys/0/pem: ")
                    .hasMessageContaining(
                            resource.equals("none") ? "unknown resource \"none\"" : "a public key for ed25519");
        }
    }

    @Test
    void the_message_chooses_no_algorithm() {
        services.secrets().put(Origin.SECRET, "partner", SECRET);
        Policy policy = policy(key("ed", "ed25519", ED) + ", {'id': 'mac', 'algorithm': 'hmac-sha256',"
                + " 'secret': {'secret': 'partner'}}");
        String pem = ED.pem().replace("\\n", "\n");

        assertRefused(policy, signed(ED, USUAL, params("ed") + ";alg=\"hmac-sha256\""));
        assertRefused(
                policy, signed(MessageSmith.sharing("hmac-sha256", pem), USUAL, params("ed") + ";alg=\"hmac-sha256\""));
        assertRefused(policy, signed(MessageSmith.sharing("hmac-sha256", pem), USUAL, params("ed")));
        assertRefused(policy, signed(MessageSmith.sharing("hmac-sha512", SECRET), USUAL, params("mac")));
        assertRefused(policy, signed(ED, USUAL, params("mac")));
        assertRefused(policy, signed(ED, USUAL, params("ed") + ";alg=ed25519")); // a token, no text
        assertRefused(policy, signed(ED, USUAL, params("nobody")));
    }

    @Test
    void names_the_caller_and_leaves_what_was_signed_as_facts() {
        Policy policy = policy("{'id': 'k', 'algorithm': 'ed25519', 'pem': '" + ED.pem()
                + "', 'name': 'Partner', 'tags': ['gold'], 'metadata': {'region': 'eu'}}");
        Exchange exchange = signed(ED, USUAL, params("k")).make();

        assertThat(stop(policy, exchange)).isEmpty();

        Consumer caller = exchange.consumer().orElseThrow();
        assertThat(caller.id()).isEqualTo("signature:orders/k");
        assertThat(caller.name()).isEqualTo("Partner");
        assertThat(caller.tags()).containsExactly("gold");
        assertThat(caller.metadata()).isEqualTo(Map.of("region", "eu"));
        assertThat(exchange.fact(JsonPointer.compile("/http-signature/keyid"))
                        .orElseThrow()
                        .stringValue())
                .isEqualTo("k");
        assertThat(exchange.fact(JsonPointer.compile("/http-signature/covered"))
                        .orElseThrow()
                        .toString())
                .isEqualTo("[\"@method\",\"@authority\",\"@path\",\"@query\"]");
        assertThat(exchange.headers().contains("Signature")).isFalse();
        assertThat(exchange.headers().contains("Signature-Input")).isFalse();
    }

    @Test
    void the_signature_is_left_where_the_definition_says_so() {
        Policy policy = policy(key("k", "ed25519", ED), "'forwardCredential': true");
        Exchange exchange = signed(ED, USUAL, params("k")).make();

        assertThat(stop(policy, exchange)).isEmpty();
        assertThat(exchange.headers().contains("Signature")).isTrue();
    }

    @Test
    void a_caller_stands_for_an_api_key_with_what_that_opens() {
        String id = services.keys().add("s", apiKey().withId("key_1")).id();
        Policy policy = policy(standing("k", id) + ", " + standing("l", "key_2"));
        Exchange exchange = signed(ED, USUAL, params("k")).make();

        assertThat(stop(policy, exchange)).isEmpty();
        assertThat(exchange.consumer().orElseThrow().id()).isEqualTo(id);

        Response stop = stop(policy, signed(ED, USUAL, params("l")).make()).orElseThrow();
        assertThat(stop.status()).isEqualTo(401);
    }

    private static String standing(String id, String apiKey) {
        return "{'id': '" + id + "', 'algorithm': 'ed25519', 'pem': '" + ED.pem() + "', 'key': '" + apiKey + "'}";
    }

    @Test
    void says_what_to_sign_when_nothing_is_signed() {
        Policy policy = policy(key("k", "ed25519", ED), "'once': true, 'tag': 'app'");

        Response stop = stop(policy, Exchanges.get("/").make()).orElseThrow();

        assertThat(stop.status()).isEqualTo(401);
        assertThat(detail(stop)).isEqualTo("The signature is missing");
        assertThat(stop.headers().first("WWW-Authenticate")).contains("Signature realm=\"orders\"");
        assertThat(stop.headers().first("Accept-Signature"))
                .contains("sig1=(\"@method\" \"@authority\" \"@path\" \"@query\" \"content-digest\")"
                        + ";created;keyid;nonce;tag=\"app\"");
    }

    @Test
    void is_shown_where_one_of_the_fields_is() {
        var policy = (AuthenticationPolicy) policy(key("k", "ed25519", ED));

        assertThat(policy.shownAt(Exchanges.get("/").make())).isNull();
        assertThat(policy.shownAt(Exchanges.get("/").with("Signature", "x").make()))
                .isEqualTo("header:signature");
        assertThat(policy.shownAt(
                        Exchanges.get("/").with("Signature-Input", "x").make()))
                .isEqualTo("header:signature");
    }

    @Test
    void what_was_signed_may_not_be_changed() {
        Policy policy = policy(key("k", "ed25519", ED));
        for (Exchanges changed : List.of(
                Exchanges.of("POST", "/a?x=1"),
                Exchanges.get("/b?x=1"),
                Exchanges.get("/%61?x=1"),
                Exchanges.get("/a?x=2"),
                Exchanges.get("/a"),
                Exchanges.get("/a?x=1").host("other.example"))) {
            assertRefused(policy, signed(changed, ED, USUAL, params("k")));
        }
    }

    @Test
    void what_the_definition_demands_has_to_be_signed_and_more_may_be() {
        Policy policy = policy(key("k", "ed25519", ED), "'cover': ['@method', '@path', 'x-tenant']");
        List<String> all = List.of("\"@method\": GET", "\"@path\": /a", "\"x-tenant\": one, two");
        Exchanges request = Exchanges.get("/a?x=1").with("X-Tenant", " one ").with("X-Tenant", "two\t");

        assertPasses(policy, signed(request, ED, all, params("k")));
        for (int left = 0; left < all.size(); left++) {
            var fewer = new ArrayList<>(all);
            fewer.remove(left);
            assertRefused(policy, signed(request, ED, fewer, params("k")));
        }
        assertRefused(policy, signed(request, ED, List.of(), params("k")));
    }

    @Test
    void the_target_uri_covers_its_parts() {
        Policy policy = policy(key("k", "ed25519", ED));
        Exchanges request = Exchanges.get("/a?x=1").scheme("https").with("Host", "API.example.com:443");

        assertPasses(
                policy,
                signed(
                        request,
                        ED,
                        List.of("\"@method\": GET", "\"@target-uri\": https://api.example.com/a?x=1"),
                        params("k")));
    }

    @Test
    void takes_parts_of_fields_and_parameters_of_the_query() {
        Policy policy = policy(key("k", "ed25519", ED), "'cover': ['@method']");
        Exchanges request = Exchanges.get("/a?q=a+b&n%C3%A4me=%7e&e")
                .with("X-Dictionary", "a=1,  b=(1  2);x")
                .with("X-Octets", "caf\u00e9");

        assertPasses(
                policy,
                signed(
                        request,
                        ED,
                        List.of(
                                "\"@method\": GET",
                                "\"@query-param\";name=\"q\": a%20b",
                                "\"@query-param\";name=\"n%C3%A4me\": %7E",
                                "\"@query-param\";name=\"e\": ",
                                "\"x-dictionary\";key=\"b\": (1 2);x",
                                "\"x-octets\";bs: :Y2Fm6Q==:"),
                        params("k")));
    }

    @Test
    void components_that_are_none_or_there_twice_are_refused() {
        Policy policy = policy(key("k", "ed25519", ED), "'cover': ['@method']");
        Exchanges request = Exchanges.get("/a?x=1&x=2").with("X-A", "1");
        for (String line : List.of(
                "\"@method\": GET", // twice
                "\"@query-param\";name=\"x\": 1", // there twice
                "\"@query-param\";name=\"y\": ",
                "\"@query-param\": 1",
                "\"@status\": 200",
                "\"@signature-params\": x",
                "\"@method\";x: GET",
                "\"x-a\";sf: 1",
                "\"x-a\";req: 1",
                "\"x-a\";tr: 1",
                "\"x-a\";key=\"z\": 1",
                "\"x-a\";bs=?0: 1",
                "\"X-A\": 1",
                "\"x-missing\": ",
                "\"\": ",
                "x-a: 1")) {
            assertRefused(policy, signed(request, ED, List.of("\"@method\": GET", line), params("k")));
        }
        assertRefused(
                policy,
                signed(
                        Exchanges.get("/").with("X-A", "b=1"),
                        ED,
                        List.of("\"@method\": GET", "\"x-a\";key=\"b\": 1", "\"x-a\";key=\"b\": 1"),
                        params("k")));
    }

    @Test
    void is_good_for_a_while() {
        Policy policy = policy(key("k", "ed25519", ED), "'maxAge': '60s', 'clockSkew': '10s'");

        assertPasses(policy, signed(ED, USUAL, params("k", now + 10)));
        assertPasses(policy, signed(ED, USUAL, params("k", now - 69)));
        assertPasses(policy, signed(ED, USUAL, params("k", now - 30) + ";expires=" + (now - 9)));
        assertRefused(policy, signed(ED, USUAL, params("k", now + 11)));
        assertExpired(policy, signed(ED, USUAL, params("k", now - 70)));
        assertExpired(policy, signed(ED, USUAL, params("k", now - 30) + ";expires=" + (now - 10)));
        assertRefused(policy, signed(ED, USUAL, params("k", now) + ";expires=" + now));
        assertRefused(policy, signed(ED, USUAL, ";keyid=\"k\""));
        for (String created : List.of("\"" + now + '"', now + ".0", "-1", "999999999999999")) {
            assertRefused(policy, signed(ED, USUAL, ";created=" + created + ";keyid=\"k\""));
        }
    }

    @Test
    void is_taken_once_when_the_definition_says_so() {
        Policy policy = policy(key("k", "ed25519", ED) + ", " + key("l", "ed25519", ED), "'once': true");

        assertRefused(policy, signed(ED, USUAL, params("k")));
        assertPasses(policy, signed(ED, USUAL, params("k") + ";nonce=\"n1\""));
        assertRefused(policy, signed(ED, USUAL, params("k") + ";nonce=\"n1\""));
        assertPasses(policy, signed(ED, USUAL, params("k") + ";nonce=\"n2\""));
        assertPasses(policy, signed(ED, USUAL, params("l") + ";nonce=\"n1\""));
        assertRefused(policy, signed(ED, USUAL, params("k") + ";nonce=\"" + "n".repeat(257) + '"'));
    }

    @Test
    void is_known_for_as_long_as_any_node_takes_it() {
        Policy policy = policy(key("k", "ed25519", ED), "'once': true");
        Exchanges request = signed(ED, USUAL, params("k") + ";nonce=\"n1\"");
        assertPasses(policy, request);

        services.shortTerm().isAhead(Duration.ofSeconds(30));
        services.clock().advance(Duration.ofSeconds(90).minusMillis(1));

        assertRefused(policy, request);
    }

    @Test
    void a_nonce_is_not_spent_by_one_who_cannot_sign() {
        Policy policy = policy(key("k", "ed25519", ED), "'once': true");

        assertRefused(policy, signed(MessageSmith.of("ed25519"), USUAL, params("k") + ";nonce=\"n1\""));
        assertPasses(policy, signed(ED, USUAL, params("k") + ";nonce=\"n1\""));
    }

    @Test
    void of_several_signatures_label_or_tag_choose_one() {
        String key = key("k", "ed25519", ED);

        Response stop = stop(
                        policy(key), two("a", params("k"), "b", params("k")).make())
                .orElseThrow();
        assertThat(stop.status()).isEqualTo(400);
        assertPasses(policy(key, "'label': 'a'"), two("a", params("k"), "b", params("other")));
        assertRefused(policy(key, "'label': 'b'"), two("a", params("k"), "b", params("other")));
        assertRefused(policy(key, "'label': 'c'"), two("a", params("k"), "b", params("k")));
        assertPasses(policy(key, "'tag': 'y'"), two("a", params("k") + ";tag=\"x\"", "b", params("k") + ";tag=\"y\""));
        assertRefused(policy(key, "'tag': 'z'"), two("a", params("k"), "b", params("k")));
        assertRefused(policy(key, "'tag': 'y'"), signed(ED, USUAL, params("k")));
    }

    @Test
    void fields_that_do_not_belong_together_are_refused() {
        Policy policy = policy(key("k", "ed25519", ED));
        String input = "(\"@method\" \"@authority\" \"@path\" \"@query\")" + params("k");
        String good = ":" + ED.sign(base(USUAL, input)) + ":";
        for (String[] fields : new String[][] {
            {"sig1=" + input, "sig2=" + good},
            {"sig1=" + input, "sig1=" + good + ", sig2=" + good},
            {"sig1=" + input + ", sig1=" + input, "sig1=" + good},
            {"sig1=" + input, "sig1=" + good + ", sig1=" + good},
            {"sig1=" + input, "sig1=" + good + ";x"},
            {"sig1=" + input, "sig1=" + good.replace(':', '"')},
            {"sig1=" + input, "sig1=:AAAA:"},
            {"sig1=" + input, "sig1=::"},
            {"sig1=1", "sig1=" + good},
            {"sig1=" + input, ""},
            {"", "sig1=" + good},
            {"sig1=(" + input + ")", "sig1=" + good}
        }) {
            assertRefused(
                    policy,
                    Exchanges.get("/a?x=1").with("Signature-Input", fields[0]).with("Signature", fields[1]));
        }
        assertPasses(
                policy,
                Exchanges.get("/a?x=1").with("Signature-Input", "sig1=" + input).with("Signature", "sig1=" + good));
        assertRefused(
                policy,
                Exchanges.get("/a?x=1")
                        .with("Signature-Input", "sig1=" + input)
                        .with("Signature-Input", "sig1=" + input)
                        .with("Signature", "sig1=" + good));
    }

    @Test
    void a_body_is_compared_with_the_digest_that_was_signed() {
        Policy policy = policy(key("k", "ed25519", ED));
        Policy digest = digest();
        for (String algorithm : List.of("sha-256", "sha-512")) {
            String value = MessageSmith.contentDigest(algorithm, "hello");

            assertThat(bodyStatus(policy, digest, value, "hello")).isEqualTo(200);
            assertThat(bodyStatus(policy, digest, value, "hellO")).isEqualTo(401);
        }
        String both =
                MessageSmith.contentDigest("sha-256", "hello") + ", " + MessageSmith.contentDigest("sha-512", "x");
        assertThat(bodyStatus(policy, digest, both, "hello")).isEqualTo(401);
        String unknown = "md5=:XUFAKrxLKna5cZ2REBfFkg==:";
        assertThat(bodyStatus(policy, digest, unknown, "hello")).isEqualTo(401);
        assertThat(bodyStatus(policy, digest, unknown + ", " + MessageSmith.contentDigest("sha-256", "hello"), "hello"))
                .isEqualTo(200);
        assertThat(bodyStatus(policy, digest, "sha-256=1", "hello")).isEqualTo(401);
    }

    private int bodyStatus(Policy policy, Policy digest, String value, String body) {
        var lines = new ArrayList<>(USUAL);
        lines.set(0, "\"@method\": POST");
        lines.add("\"content-digest\": " + value);
        Exchanges request =
                Exchanges.of("POST", "/a?x=1").with("Content-Digest", value).body(body);
        Exchange exchange = signed(request, ED, lines, params("k")).make();
        assertThat(stop(policy, exchange)).isEmpty();
        return stop(digest, exchange).map(Response::status).orElse(200);
    }

    @Test
    void a_body_without_a_signed_digest_is_refused() {
        Policy policy = policy(key("k", "ed25519", ED));
        var lines = new ArrayList<>(USUAL);
        lines.set(0, "\"@method\": POST");

        assertRefused(policy, signed(Exchanges.of("POST", "/a?x=1").body("x"), ED, lines, params("k")));
        assertRefused(policy, signed(Exchanges.of("POST", "/a?x=1").chunked(""), ED, lines, params("k")));
        assertPasses(policy, signed(Exchanges.of("POST", "/a?x=1"), ED, lines, params("k")));
        assertPasses(
                policy(key("k", "ed25519", ED), "'cover': ['@method']"),
                signed(Exchanges.of("POST", "/a?x=1").body("x"), ED, lines, params("k")));
    }

    @Test
    void requests_without_a_signed_digest_pass_the_step_behind() {
        Policy digest = digest();

        assertThat(stop(digest, Exchanges.get("/").with("Content-Digest", "x").make()))
                .isEmpty();
    }

    @Test
    void problems_are_told_under_their_places() {
        String pem = ED.pem();
        assertThat(problems("{}")).containsExactly("/keys: expected 1 to 1000 keys, got 0");
        assertThat(problems("{'keys': []}")).containsExactly("/keys: expected 1 to 1000 keys, got 0");
        assertThat(problems("{'keys': [{'id': 'k', 'algorithm': 'ed25519'}]}"))
                .containsExactly("/keys/0: expected one of pem and secret, got neither");
        assertThat(problems("{'keys': [{'id': 'k', 'algorithm': 'hmac-sha256', 'pem': '" + pem + "'}]}"))
                .containsExactly("/keys/0/algorithm: expected secret with hmac-sha256");
        assertThat(problems("{'keys': [{'id': 'k', 'algorithm': 'rsa-pss-sha512', 'pem': '" + pem + "'}]}"))
                .containsExactly("/keys/0/pem: expected a public key for rsa-pss-sha512");
        assertThat(problems("{'keys': [{'id': 'k', 'algorithm': 'hmac-sha1', 'secret': {'secret': 's'}}]}"))
                .singleElement()
                .asString()
                .startsWith("/keys/0/algorithm: expected one of hmac-sha256, hmac-sha512, rsa-pss-sha512");
        String key = "{'id': 'k', 'algorithm': 'ed25519', 'pem': '" + pem + "'}";
        assertThat(problems("{'keys': [" + key + ", " + key + "]}"))
                .containsExactly("/keys: expected each id once, got two of \"k\"");
        assertThat(problems("{'keys': [" + key + "], 'cover': []}"))
                .containsExactly("/cover: expected 1 to 64 components, got 0");
        assertThat(problems("{'keys': [" + key + "], 'cover': ['Date', '@status']}"))
                .extracting(each -> each.substring(0, each.indexOf(':')))
                .containsExactly("/cover/0", "/cover/1");
        assertThat(problems("{'keys': [" + key + "], 'dateHeader': 'x-date', 'requestTarget': 'path'}"))
                .containsExactly(
                        "/dateHeader: expected nothing with the profile rfc9421",
                        "/requestTarget: expected nothing with the profile rfc9421");
        assertThat(problems("{'keys': [" + key + "], 'maxAge': '2h', 'clockSkew': '6m'}"))
                .extracting(each -> each.substring(0, each.indexOf(':')))
                .containsExactly("/maxAge", "/clockSkew");
    }

    @Test
    void a_short_secret_is_told_when_the_policy_is_compiled() {
        services.secrets().put(Origin.SECRET, "short", "0123456789 abcd");
        String key = "{'id': 'k', 'algorithm': 'hmac-sha256', 'secret': {'secret': 'short'}";

        assertThatThrownBy(() -> policy(key + "}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("at least 16 bytes");
        assertThatThrownBy(() -> policy(key + ", 'encoding': 'base64'}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("Base64");
    }

    private Exchanges two(String first, String firstParams, String second, String secondParams) {
        String a = "(\"@method\" \"@authority\" \"@path\" \"@query\")" + firstParams;
        String b = "(\"@method\" \"@authority\" \"@path\" \"@query\")" + secondParams;
        return Exchanges.get("/a?x=1")
                .with("Signature-Input", first + '=' + a)
                .with("Signature-Input", second + '=' + b)
                .with(
                        "Signature",
                        first + "=:" + ED.sign(base(USUAL, a)) + ":, " + second + "=:" + ED.sign(base(USUAL, b)) + ':');
    }

    private static Exchanges signed(MessageSmith smith, List<String> lines, String params) {
        return signed(Exchanges.get("/a?x=1"), smith, lines, params);
    }

    /// @param lines of the base: identifier and value
    private static Exchanges signed(Exchanges request, MessageSmith smith, List<String> lines, String params) {
        List<String> identifiers = lines.stream()
                .map(line -> line.substring(0, line.indexOf(": ")))
                .toList();
        String input = '(' + String.join(" ", identifiers) + ')' + params;
        return request.with("Signature-Input", "sig1=" + input)
                .with("Signature", "sig1=:" + smith.sign(base(lines, input)) + ':');
    }

    private static String base(List<String> lines, String input) {
        return String.join("\n", lines) + (lines.isEmpty() ? "" : "\n") + "\"@signature-params\": " + input;
    }

    private String params(String keyId) {
        return params(keyId, now);
    }

    private static String params(String keyId, long created) {
        return ";created=" + created + ";keyid=\"" + keyId + '"';
    }

    private static String key(String id, String algorithm, MessageSmith smith) {
        return "{'id': '" + id + "', 'algorithm': '" + algorithm + "', 'pem': '" + smith.pem() + "'}";
    }

    private static ApiKey apiKey() {
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

    private Policy policy(String keys) {
        return policy(keys, "'forwardCredential': false");
    }

    private Policy policy(String keys, String more) {
        var node = ConfigNode.parse(("{'keys': [" + keys + "], " + more + '}').replace('\'', '"'));
        HttpSignature spec = new HttpSignature.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec.compile(new PolicyPlace("orders", "http-signature"), services);
    }

    private static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        new HttpSignature.Type().read(node);
        node.refuseUnknownFields();
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }

    private static Optional<Response> stop(Policy policy, Exchange exchange) {
        return switch (policy.apply(exchange)) {
            case Verdict.Stop(Response response) -> Optional.of(response);
            case Verdict.Answer(Response response, var _) -> Optional.of(response);
            case Verdict.Proceed(var _) -> Optional.empty();
        };
    }

    private static void assertPasses(Policy policy, Exchanges request) {
        assertThat(stop(policy, request.make()).map(HttpSignatureTest::detail)).isEmpty();
    }

    private static void assertRefused(Policy policy, Exchanges request) {
        assertRefused(policy, request, "The signature is invalid");
    }

    private static void assertExpired(Policy policy, Exchanges request) {
        assertRefused(policy, request, "The signature is expired");
    }

    private static void assertRefused(Policy policy, Exchanges request, String detail) {
        Exchange exchange = request.make();
        Response stop = stop(policy, exchange)
                .orElseThrow(() -> new AssertionError(
                        "passed: " + exchange.head() + exchange.fact(JsonPointer.compile("/http-signature"))));
        assertThat(stop.status()).isEqualTo(401);
        assertThat(detail(stop)).isEqualTo(detail);
        assertThat(exchange.consumer()).isEmpty();
    }

    private static String detail(Response response) {
        byte[] content = response.body().bytes(Long.MAX_VALUE);
        return Json.parse(new String(content, StandardCharsets.UTF_8))
                .get("detail")
                .stringValue();
    }

    /// The step behind the signature.
    private Policy digest() {
        return (Policy) BodyDigest.STEP.spec().compile(new PolicyPlace("orders", BodyDigest.FACT), services);
    }

    @Test
    void knows_every_algorithm_that_keys_may_have() {
        assertThat(MessageAlgorithm.words()).containsExactlyElementsOf(KeyCredential.ALGORITHMS);
    }

    @Test
    void keys_of_consumers_are_found_by_their_ids() {
        KeyCredential pem = new KeyCredential("ed25519", Optional.of(ED.pem().replace("\\n", "\n")), Optional.empty());
        KeyCredential mac = new KeyCredential("hmac-sha256", Optional.empty(), Optional.of("sealed " + SECRET));
        KeyCredential weak = new KeyCredential("hmac-sha1", Optional.empty(), Optional.of("sealed " + SECRET));
        services.keys().add("s", apiKey().withId("key_1").withCredentials(List.of(pem, mac, weak)));
        services.keys().add("t", apiKey().withId("key_2"));
        Policy policy = ofConsumers();
        MessageSmith shared = MessageSmith.sharing("hmac-sha256", SECRET);

        for (String alg : List.of("", ";alg=\"ed25519\"")) {
            Exchange exchange = signed(ED, USUAL, params("key_1") + alg).make();
            assertThat(stop(policy, exchange)).isEmpty();
            assertThat(exchange.consumer().orElseThrow().id()).isEqualTo("key_1");
        }
        assertPasses(policy, signed(shared, USUAL, params("key_1")));
        assertPasses(policy, signed(shared, USUAL, params("key_1") + ";alg=\"hmac-sha256\""));
        assertRefused(policy, signed(shared, USUAL, params("key_1") + ";alg=\"ed25519\""));
        assertRefused(policy, signed(ED, USUAL, params("key_1") + ";alg=\"hmac-sha256\""));
        assertRefused(policy, signed(MessageSmith.sharing("hmac-sha1", SECRET), USUAL, params("key_1")));
        assertRefused(policy, signed(MessageSmith.of("ed25519"), USUAL, params("key_1")));
        for (String other : List.of("key_2", "key_3", "s", "../key_1", "")) {
            assertRefused(policy, signed(ED, USUAL, params(other)));
        }
    }

    @Test
    void a_new_credential_is_good_beside_the_old_one() {
        MessageSmith next = MessageSmith.of("ed25519");
        var both = List.of(ED, next).stream()
                .map(each ->
                        new KeyCredential("ed25519", Optional.of(each.pem().replace("\\n", "\n")), Optional.empty()))
                .toList();
        services.keys().add("s", apiKey().withId("key_1").withCredentials(both));
        Policy policy = ofConsumers();

        assertPasses(policy, signed(ED, USUAL, params("key_1")));
        assertPasses(policy, signed(next, USUAL, params("key_1")));
    }

    @Test
    void while_keys_or_their_secrets_cannot_be_had_nobody_is_called_unknown() {
        KeyCredential mac = new KeyCredential("hmac-sha256", Optional.empty(), Optional.of("v1.by.another"));
        services.keys().add("s", apiKey().withId("key_1").withCredentials(List.of(mac)));
        Policy policy = ofConsumers();
        MessageSmith shared = MessageSmith.sharing("hmac-sha256", SECRET);
        Exchange unsealed = signed(shared, USUAL, params("key_1")).make();

        assertThatThrownBy(() -> policy.apply(unsealed))
                .isInstanceOf(DependencyException.class)
                .hasMessageNotContaining("v1.by");

        services.keys().goAway();
        Exchange away = signed(shared, USUAL, params("key_9")).make();
        assertThatThrownBy(() -> policy.apply(away)).isInstanceOf(DependencyException.class);
    }

    @Test
    void a_disabled_key_signs_nothing() {
        KeyCredential mac = new KeyCredential("hmac-sha256", Optional.empty(), Optional.of("sealed " + SECRET));
        ApiKey off = new ApiKey(
                "key_1",
                "alice",
                false,
                Optional.empty(),
                Map.of("orders", ApiGrant.WHOLE),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
        services.keys().add("s", off.withCredentials(List.of(mac)));

        Exchange exchange = signed(MessageSmith.sharing("hmac-sha256", SECRET), USUAL, params("key_1"))
                .make();

        assertThat(stop(ofConsumers(), exchange).map(Response::status)).contains(401);
    }

    @Test
    void keys_are_listed_or_those_of_consumers() {
        assertThat(problems("{'keysOf': 'consumers'}")).isEmpty();
        assertThat(problems("{'keysOf': 'consumers', 'keys': [" + key("k", "ed25519", ED) + "]}"))
                .containsExactly("/keys: expected nothing, since they are those of consumers");
    }

    private Policy ofConsumers() {
        HttpSignature spec = new HttpSignature.Type().read(ConfigNode.parse("{\"keysOf\": \"consumers\"}"));
        return spec.compile(new PolicyPlace("orders", "http-signature"), services);
    }

    @Test
    void while_it_cannot_be_known_whether_a_nonce_is_new_nobody_passes_and_nobody_is_refused() {
        Policy policy = policy(key("k", "ed25519", ED), "'once': true");
        Exchange exchange = signed(ED, USUAL, params("k") + ";nonce=\"n1\"").make();

        services.shortTerm().goAway();

        assertThatThrownBy(() -> policy.apply(exchange)).isInstanceOf(DependencyException.class);
        assertThat(exchange.consumer()).isEmpty();
    }
}
