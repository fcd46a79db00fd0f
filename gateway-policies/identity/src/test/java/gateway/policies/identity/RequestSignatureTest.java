package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.RunsOn;
import gateway.policy.Verdict;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RequestSignatureTest {
    private static final String SECRET = "a secret of more than thirty-two characters";
    private static final String HMAC = """
            {'signature': {'host': 'orders.internal:8443', 'algorithm': 'hmac-sha256', 'key': {'secret': 'key'},
             'keyId': 'gw 1'%s}}""";

    private final FakeServices services = new FakeServices();

    @BeforeEach
    void secret() {
        services.secrets().put(Origin.SECRET, "key", SECRET);
    }

    @Test
    void signs_what_goes_out_with_its_time_its_end_and_a_nonce_in_the_place_of_what_the_client_has_signed()
            throws Exception {
        Exchange exchange = Exchanges.of("POST", "/a%20b/c?x=1&y=%7e")
                .with("Signature", "mine=:AA==:")
                .with("Signature-Input", "mine=(\"@method\")")
                .with("Content-Digest", "sha-256=:AA==:")
                .with("Content-Type", " text/plain ")
                .make();
        String more = ", 'cover': ['@method', '@path', 'content-type', '@query', '@authority', 'x-none'],"
                + " 'label': 'sig', 'tag': 'orders', 'lifetime': '30s'";

        pass(policy(HMAC.formatted(more)), exchange);

        Headers headers = exchange.outgoing().headers();
        assertThat(headers.all("Signature-Input")).hasSize(1);
        String input = headers.first("Signature-Input").orElseThrow();
        long created = services.clock().instant().getEpochSecond();
        assertThat(input)
                .matches("sig=\\(\"@method\" \"@path\" \"content-type\" \"@query\" \"@authority\"\\);created=" + created
                        + ";expires=" + (created + 30) + ";nonce=\"[A-Za-z0-9_-]{43}\";alg=\"hmac-sha256\";"
                        + "keyid=\"gw 1\";tag=\"orders\"");
        String base = """
                "@method": POST
                "@path": /a%20b/c
                "content-type": text/plain
                "@query": ?x=1&y=%7e
                "@authority": orders.internal:8443
                "@signature-params":\s""" + input.substring(4);
        assertThat(headers.all("Signature")).containsExactly("sig=:" + hmac(base) + ":");
        assertThat(headers.first("Content-Digest")).contains("sha-256=:AA==:");
    }

    @Test
    void signs_the_digest_of_the_body_that_goes_out() {
        Exchange exchange = Exchanges.of("POST", "/")
                .with("Content-Digest", "sha-256=:AA==:")
                .make();

        pass(policy(HMAC.formatted("")), exchange);

        Headers headers = exchange.outgoing().headers();
        assertThat(headers.all("Content-Digest"))
                .containsExactly("sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:");
        assertThat(headers.first("Signature-Input").orElseThrow())
                .startsWith("gateway=(\"@method\" \"@authority\" \"@path\" \"@query\" \"content-digest\");");
    }

    @Test
    void no_two_signatures_are_alike() {
        Policy policy = policy(HMAC.formatted(""));
        Exchange one = Exchanges.get("/").make();
        Exchange other = Exchanges.get("/").make();

        pass(policy, one);
        pass(policy, other);

        assertThat(one.outgoing().headers().first("Signature"))
                .isNotEqualTo(other.outgoing().headers().first("Signature"));
    }

    @Test
    void a_body_without_an_end_is_not_sent_unsigned() {
        Exchange streaming = Exchanges.of("POST", "/").chunked("abc").make();

        assertThat(policy(HMAC.formatted("")).apply(streaming))
                .isInstanceOfSatisfying(
                        Verdict.Stop.class,
                        stop -> assertThat(stop.response().status()).isEqualTo(415));
        assertThat(streaming.outgoing().headers().contains("Signature")).isFalse();
        pass(policy(HMAC.formatted(", 'cover': ['@method']")), streaming);
        assertThat(streaming.outgoing().headers().contains("Signature")).isTrue();
    }

    @Test
    void a_weak_secret_or_a_key_of_another_kind_is_refused_without_being_told_and_nothing_prints_one() {
        assertThat(policy(HMAC.formatted("")).toString() + spec(HMAC.formatted("")))
                .doesNotContain(SECRET);
        services.secrets().put(Origin.SECRET, "key", "hush");

        for (String algorithm : List.of("hmac-sha256", "ed25519", "ecdsa-p256-sha256", "rsa-v1_5-sha256")) {
            assertThatThrownBy(() -> policy(HMAC.formatted("").replace("hmac-sha256", algorithm)))
                    .isInstanceOf(InvalidConfigException.class)
                    .message()
                    .startsWith("/signature/key: expected")
                    .doesNotContain("hush");
        }
    }

    @Test
    void private_keys_sign_on_workers() {
        assertThat(spec(HMAC.formatted("")).runsOn()).isEqualTo(RunsOn.REQUEST_THREAD);
        assertThat(spec(HMAC.formatted("").replace("hmac-sha256", "ed25519")).runsOn())
                .isEqualTo(RunsOn.WORKER);
    }

    @Test
    void bad_input_is_told_under_its_pointer() {
        assertThat(problems("{'signature': {'host': 'A B', 'algorithm': 'rsa-sha1', 'key': ['clear'], 'keyId': 'ü',"
                        + " 'cover': ['@method', '@method', '@status', 'X-Big', 'content-length', 'traceparent',"
                        + " 'x-forwarded-for'], 'label': 'Big', 'lifetime': '0s', 'maxBody': '2KiB'}}"))
                .anyMatch(each -> each.startsWith("/signature/host: expected"))
                .anyMatch(each -> each.startsWith("/signature/algorithm: expected one of ed25519"))
                .anyMatch(each -> each.startsWith("/signature/key: expected"))
                .anyMatch(each -> each.startsWith("/signature/keyId: expected"))
                .anyMatch(each -> each.startsWith("/signature/cover: expected each component once"))
                .anyMatch(each -> each.startsWith("/signature/cover/2: expected"))
                .anyMatch(each -> each.startsWith("/signature/cover/3: expected"))
                .anyMatch(each -> each.startsWith("/signature/cover/4: the gateway writes"))
                .anyMatch(each -> each.startsWith("/signature/cover/5: the gateway writes"))
                .anyMatch(each -> each.startsWith("/signature/cover/6: the gateway writes"))
                .anyMatch(each -> each.startsWith("/signature/label: expected"))
                .anyMatch(each -> each.startsWith("/signature/lifetime: expected"))
                .anyMatch(each -> each.startsWith("/signature/maxBody: expected only"))
                .noneMatch(each -> each.contains("clear"));
    }

    private static String hmac(String base) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return Base64.getEncoder().encodeToString(mac.doFinal(base.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static void pass(Policy policy, Exchange exchange) {
        assertThat(policy.apply(exchange)).isInstanceOf(Verdict.Proceed.class);
    }

    private UpstreamAuth spec(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        UpstreamAuth spec = new UpstreamAuth.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec;
    }

    private Policy policy(String json) {
        return spec(json).compile(new PolicyPlace("orders", "upstream-auth"), services);
    }

    private static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        new UpstreamAuth.Type().read(node);
        node.refuseUnknownFields();
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }
}
