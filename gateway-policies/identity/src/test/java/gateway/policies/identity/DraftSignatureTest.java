package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.SecretReference.Origin;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Signatures as draft-cavage-http-signatures and Tyk's clients have them.
final class DraftSignatureTest {
    private static final String SECRET = "a secret of Tyk's";
    private static final String DATE = "Mon, 01 Jun 2026 00:00:00 GMT"; // where the clock stands
    private static final MessageSmith HMAC = MessageSmith.sharing("hmac-sha256", SECRET);
    private static final String BASE = "(request-target): get /a?x=1\ndate: " + DATE;

    private final FakeServices services = new FakeServices();

    {
        services.secrets().put(Origin.SECRET, "tyk", SECRET);
    }

    @Test
    void takes_signatures_of_every_algorithm_of_the_draft() {
        for (String algorithm : List.of("hmac-sha1", "hmac-sha256", "hmac-sha384", "hmac-sha512")) {
            Policy policy = policy("{'id': 'k', 'algorithm': '" + algorithm + "', 'secret': {'secret': 'tyk'}}", "");
            String signature = MessageSmith.sharing(algorithm, SECRET).sign(BASE);

            assertPasses(policy, request(said(algorithm, signature)));
            assertPasses(policy, request(said("hs2019", signature)));
            assertRefused(policy, request(said("rsa-sha256", signature)));
            assertRefused(policy, request(said(algorithm + "x", signature)));
        }
        for (String[] each : new String[][] {{"ed25519", "ed25519"}, {"rsa-v1_5-sha256", "rsa-sha256"}}) {
            MessageSmith smith = MessageSmith.of(each[0]);
            Policy policy = policy("{'id': 'k', 'algorithm': '" + each[0] + "', 'pem': '" + smith.pem() + "'}", "");

            assertPasses(policy, request(said(each[1], smith.sign(BASE))));
            assertRefused(policy, request(said(each[1], MessageSmith.of(each[0]).sign(BASE))));
        }
    }

    @Test
    void a_weaker_algorithm_of_the_message_is_not_taken() {
        Policy policy = policy();

        assertRefused(
                policy,
                request(said(
                        "hmac-sha1", MessageSmith.sharing("hmac-sha1", SECRET).sign(BASE))));
        assertRefused(policy, request(said("hmac-sha1", HMAC.sign(BASE))));
    }

    @Test
    void takes_the_signature_percent_encoded_in_upper_and_lower_case() {
        Policy policy = policy();
        String encoded = URLEncoder.encode(HMAC.sign(BASE), StandardCharsets.US_ASCII);

        assertPasses(policy, request(said("hmac-sha256", encoded)));
        assertPasses(policy, request(said("hmac-sha256", encoded.replace("%3D", "%3d"))));
        assertRefused(policy, request(said("hmac-sha256", encoded.replace("%3D", "%"))));
        assertRefused(policy, request(said("hmac-sha256", encoded.replace("%3D", ""))));
    }

    @Test
    void another_field_stands_for_the_date_where_it_is_sent() {
        Policy policy = policy(key(), "'dateHeader': 'X-Aux-Date', 'cover': ['date']");
        Exchanges aux = Exchanges.get("/a")
                .with("Date", "Tue, 02 Jun 2026 00:00:00 GMT")
                .with("x-aux-date", DATE);
        String tyk = said("hmac-sha256", HMAC.sign("x-aux-date: " + DATE)).replace("(request-target) ", "");

        assertPasses(policy, aux.with("Authorization", tyk));
        assertPasses(
                policy,
                Exchanges.get("/a")
                        .with("X-Aux-Date", DATE)
                        .with("Authorization", tyk.replace("\"date\"", "\"x-aux-date\"")));
        assertPasses(
                policy,
                Exchanges.get("/a")
                        .with("Date", DATE)
                        .with(
                                "Authorization",
                                said("hmac-sha256", HMAC.sign("date: " + DATE)).replace("(request-target) ", "")));
    }

    @Test
    void without_headers_the_date_is_signed() {
        Policy policy = policy(key(), "'cover': ['date']");

        assertPasses(
                policy,
                Exchanges.get("/a")
                        .with("Date", DATE)
                        .with(
                                "Authorization",
                                "Signature keyId=\"k\",algorithm=\"hmac-sha256\",signature=\""
                                        + HMAC.sign("date: " + DATE) + '"'));
    }

    @Test
    void the_query_is_signed_unless_the_definition_says_otherwise() {
        Policy path = policy(key(), "'requestTarget': 'path'");
        String signature = HMAC.sign("(request-target): get /a\ndate: " + DATE);

        assertPasses(path, request(said("hmac-sha256", signature)));
        assertRefused(policy(), request(said("hmac-sha256", signature)));
    }

    @Test
    void what_was_signed_may_not_be_changed_and_has_to_be_enough() {
        Policy policy = policy();
        String good = said("hmac-sha256", HMAC.sign(BASE));

        assertPasses(policy, request(good));
        assertRefused(policy, Exchanges.get("/a?x=2").with("Date", DATE).with("Authorization", good));
        assertRefused(policy, Exchanges.of("PUT", "/a?x=1").with("Date", DATE).with("Authorization", good));
        assertRefused(policy, Exchanges.get("/a?x=1").with("Authorization", good));
        assertRefused(
                policy, request(said("hmac-sha256", HMAC.sign("date: " + DATE)).replace("(request-target) ", "")));
        assertRefused(
                policy,
                request(said("hmac-sha256", HMAC.sign(BASE + "\ndate: " + DATE)).replace(" date", " date date")));
        assertRefused(policy, request(good.replace("\"k\"", "\"nobody\"")));
    }

    @Test
    void a_date_may_be_off_by_the_skew() {
        Policy policy = policy(key(), "'clockSkew': '60s'");
        for (String good : List.of("Mon, 01 Jun 2026 00:01:00 GMT", "Sun, 31 May 2026 23:59:01 GMT")) {
            assertPasses(policy, at(good));
        }
        assertPasses(policy, at("Mon, 01 Jun 2026 00:00:00 UTC"));
        assertPasses(policy, at("Mon, 01 Jun 2026 02:00:00 +0200"));
        assertRefused(policy, at("Mon, 01 Jun 2026 00:01:01 GMT"), "The signature is invalid");
        assertRefused(policy, at("Sun, 31 May 2026 23:59:00 GMT"), "The signature is expired");
        for (String bad : List.of("", "now", "2026-06-01T00:00:00Z")) {
            assertRefused(policy, at(bad));
        }
    }

    private static Exchanges at(String date) {
        String base = "(request-target): get /a?x=1\ndate: " + date;
        return Exchanges.get("/a?x=1").with("Date", date).with("Authorization", said("hmac-sha256", HMAC.sign(base)));
    }

    @Test
    void created_and_expires_count_where_they_are_signed() {
        Policy policy = policy(key(), "'cover': ['(created)'], 'clockSkew': '60s'");
        long now = services.clock().millis() / 1_000;

        assertPasses(policy, created(now, now + 1));
        assertRefused(policy, created(now + 61, now + 90));
        assertRefused(policy, created(now - 60, now + 1), "The signature is expired");
        assertRefused(policy, created(now, now), "The signature is expired");
    }

    private static Exchanges created(long created, long expires) {
        String signature = HMAC.sign("(created): " + created + "\n(expires): " + expires);
        return Exchanges.get("/a")
                .with(
                        "Authorization",
                        "Signature keyId=\"k\",algorithm=\"hs2019\",created=" + created + ",expires=" + expires
                                + ",headers=\"(created) (expires)\",signature=\"" + signature + '"');
    }

    @Test
    void is_taken_once_when_the_definition_says_so() {
        Policy policy = policy(key(), "'once': true");

        assertPasses(policy, request(said("hmac-sha256", HMAC.sign(BASE))));
        assertRefused(policy, request(said("hmac-sha256", HMAC.sign(BASE))));
        assertRefused(
                policy, request(said("hmac-sha256", URLEncoder.encode(HMAC.sign(BASE), StandardCharsets.US_ASCII))));
    }

    @Test
    void a_body_is_compared_with_the_digest_that_was_signed() {
        Policy policy = policy();
        Policy digest = digest();

        assertThat(bodyStatus(policy, digest, "hello", "SHA-256=" + MessageSmith.digest("sha-256", "hello")))
                .isEqualTo(200);
        assertThat(bodyStatus(policy, digest, "hellO", "SHA-256=" + MessageSmith.digest("sha-256", "hello")))
                .isEqualTo(401);
        assertThat(bodyStatus(policy, digest, "hello", "MD5=x")).isEqualTo(401);
        assertThat(bodyStatus(policy, digest, "hello", "nothing")).isEqualTo(401);
    }

    private static int bodyStatus(Policy policy, Policy digest, String body, String value) {
        String base = "(request-target): post /a\ndate: " + DATE + "\ndigest: " + value;
        Exchange exchange = Exchanges.of("POST", "/a")
                .with("Date", DATE)
                .with("Digest", value)
                .with("Authorization", said("hmac-sha256", HMAC.sign(base)).replace(" date", " date digest"))
                .body(body)
                .make();
        assertThat(stop(policy, exchange)).isEmpty();
        return stop(digest, exchange).map(Response::status).orElse(200);
    }

    @Test
    void a_body_whose_digest_is_not_signed_is_refused() {
        Exchanges request = Exchanges.of("POST", "/a")
                .with("Date", DATE)
                .with("Authorization", said("hmac-sha256", HMAC.sign("(request-target): post /a\ndate: " + DATE)))
                .body("hello");

        assertRefused(policy(), request);
    }

    @Test
    void other_schemes_are_no_signature_and_two_are_one_too_many() {
        var policy = (AuthenticationPolicy) policy();
        String good = said("hmac-sha256", HMAC.sign(BASE));

        assertThat(policy.shownAt(
                        Exchanges.get("/").with("Authorization", "Bearer x").make()))
                .isNull();
        assertThat(policy.shownAt(request(good).make())).isEqualTo("header:authorization");
        Response missing = stop(
                        policy,
                        Exchanges.get("/").with("Authorization", "Basic x").make())
                .orElseThrow();
        assertThat(missing.headers().first("WWW-Authenticate"))
                .contains("Signature realm=\"orders\",headers=\"(request-target) date digest\"");
        assertThat(stop(policy, request(good).with("Authorization", good).make())
                        .orElseThrow()
                        .status())
                .isEqualTo(400);
        assertThat(stop(policy, request(good).with("Authorization", "Basic x").make())
                        .orElseThrow()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void parameters_that_two_could_read_in_two_ways_are_refused() {
        Policy policy = policy();
        String good = said("hmac-sha256", HMAC.sign(BASE));
        for (String bad : List.of(
                good + ",keyId=\"k\"",
                good + ",KEYID=\"k\"",
                good + ",",
                good + ",x=\"y\"",
                good + " x",
                good.replace("keyId=\"k\"", "keyId=k"),
                good.replace("keyId=\"k\"", "keyId='k'"),
                good.replace("\"k\"", "\"k\\\""),
                good.replace("keyId=", "keyId ="),
                good.replace(" date", "  date"),
                good.replace(" date", "\tdate"),
                good.replace("signature=", "created=1x,signature="),
                "Signature ",
                "Signature keyId=\"k\"",
                "Signature keyId=\"k\",signature=\"\"")) {
            assertRefused(policy, request(bad));
        }
        assertPasses(policy, request(good.replace(",", " , ")));
    }

    @Test
    void problems_are_told_under_their_places() {
        assertThat(problems("{'profile': 'draft', 'keys': [" + key() + "], 'cover': ['(request-target)']}"))
                .containsExactly("/cover: expected date or (created) among them, since an old signature is good"
                        + " for ever otherwise, got (request-target)");
        assertThat(problems("{'profile': 'draft', 'keys': [" + key() + "], 'label': 'a', 'maxAge': '1m'}"))
                .containsExactly(
                        "/label: expected nothing with the profile draft",
                        "/maxAge: expected nothing with the profile draft");
        assertThat(problems("{'profile': 'draft', 'keys': [{'id': 'k', 'algorithm': 'ecdsa-p256-sha256', 'pem': '"
                        + MessageSmith.of("ecdsa-p256-sha256").pem() + "'}]}"))
                .singleElement()
                .asString()
                .startsWith("/keys/0/algorithm: expected one of hmac-sha1, hmac-sha256");
    }

    private static Exchanges request(String authorization) {
        return Exchanges.get("/a?x=1").with("Date", DATE).with("Authorization", authorization);
    }

    private static String said(String algorithm, String signature) {
        return "Signature keyId=\"k\",algorithm=\"" + algorithm + "\",headers=\"(request-target) date\",signature=\""
                + signature + '"';
    }

    private static String key() {
        return "{'id': 'k', 'algorithm': 'hmac-sha256', 'secret': {'secret': 'tyk'}}";
    }

    private Policy policy() {
        return policy(key(), "");
    }

    private Policy policy(String keys, String more) {
        String json = "{'profile': 'draft', 'keys': [" + keys + ']' + (more.isEmpty() ? "" : ", " + more) + '}';
        var node = ConfigNode.parse(json.replace('\'', '"'));
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
        Exchange exchange = request.make();
        assertThat(stop(policy, exchange)).isEmpty();
        assertThat(exchange.consumer().orElseThrow().id()).isEqualTo("signature:orders/k");
        assertThat(exchange.headers().contains("Authorization")).isFalse();
    }

    private static void assertRefused(Policy policy, Exchanges request) {
        assertRefused(policy, request, "The signature is invalid");
    }

    private static void assertRefused(Policy policy, Exchanges request, String detail) {
        Response stop = stop(policy, request.make()).orElseThrow(() -> new AssertionError("passed"));
        assertThat(stop.status()).isEqualTo(401);
        assertThat(new String(stop.body().bytes(Long.MAX_VALUE), StandardCharsets.UTF_8))
                .contains("\"" + detail + "\"");
    }

    /// The step behind the signature.
    private Policy digest() {
        return (Policy) BodyDigest.STEP.spec().compile(new PolicyPlace("orders", BodyDigest.FACT), services);
    }
}
