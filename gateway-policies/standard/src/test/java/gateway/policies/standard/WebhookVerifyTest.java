package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policies.standard.Reading.Compiled;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebhookVerifyTest {
    private static final String BASE64 = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String BODY = "{\"test\": 2432232314}";

    private final Reading reading = new Reading(new WebhookVerify.Type());

    @BeforeEach
    void secrets() {
        put("A", "whsec_" + BASE64);
        put("B", "It's a Secret to Everybody");
    }

    private void put(String name, String value) {
        reading.services().secrets().put(Origin.ENV, "GATEWAY_SECRET_" + name, value);
    }

    /// As svix, who wrote the specification, show it.
    @Test
    void takes_the_example_of_standard_webhooks() {
        Compiled policy = policy("'maxAge': '1h'", "A");
        reading.services().clock().set(Instant.ofEpochSecond(1_614_265_330L + 60));
        var request = Exchanges.of("POST", "/")
                .with("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
                .with("webhook-timestamp", "1614265330")
                .with("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");

        Exchange exchange = request.body(BODY).make();
        assertThat(policy.stop(exchange)).isEmpty();
        assertThat(exchange.consumer().orElseThrow().id()).isEqualTo("webhook:orders/standard");
        assertThat(policy.stop(request.body(BODY + " ").make())).isPresent();
    }

    /// As GitHub's documentation shows it.
    @Test
    void takes_the_example_of_github() {
        Compiled policy = policy("'form': 'github', 'name': 'hub'", "B");
        var request = Exchanges.of("POST", "/")
                .with("X-Hub-Signature-256", "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");

        Exchange exchange = request.body("Hello, World!").make();
        assertThat(policy.stop(exchange)).isEmpty();
        assertThat(exchange.consumer().orElseThrow().name()).isEqualTo("hub");
        assertThat(policy.stop(request.body("Hello, World").make())).isPresent();
    }

    @ParameterizedTest
    @CsvSource({"-301, false", "-300, true", "0, true", "30, true", "31, false"})
    void a_time_of_stripe_holds_for_a_while(long seconds, boolean passes) {
        Compiled policy = policy("'form': 'stripe'", "B");
        long at = now() + seconds;

        var request =
                Exchanges.of("POST", "/").with("Stripe-Signature", stripe(at)).body(BODY);

        assertThat(policy.stop(request.make()).isEmpty()).isEqualTo(passes);
    }

    @Test
    void one_of_several_signatures_and_of_several_secrets_is_enough() {
        put("C", "the secret that takes the place of it");
        Compiled policy = policy("'form': 'stripe'", "C", "B");
        String old = "t=%d,v1=%s,v1=%s,v0=00".formatted(now(), "00".repeat(32), hmac(now() + "." + BODY));

        assertThat(policy.stop(Exchanges.of("POST", "/")
                        .with("Stripe-Signature", old)
                        .body(BODY)
                        .make()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "t=%1$d",
                "v1=%2$s",
                "t=%1$d,v0=%2$s",
                "t=%1$d,v1=",
                "t=%1$d,v1=%2$s0",
                "t=%1$d,t=%1$d,v1=%2$s",
                "t=+%1$d,v1=%2$s",
                "t=9999999999999,v1=%2$s",
                "t=-1,v1=%2$s"
            })
    void what_is_no_signature_is_refused(String value) {
        Compiled policy = policy("'form': 'stripe'", "B");
        String field = value.formatted(now(), hmac(now() + "." + BODY));

        var stop = policy.stop(Exchanges.of("POST", "/")
                .with("Stripe-Signature", field)
                .body(BODY)
                .make());

        assertThat(Reading.detail(stop.orElseThrow())).isEqualTo("The signature is invalid");
        assertThat(stop.get().headers().first("WWW-Authenticate")).contains("Webhook realm=\"orders\"");
    }

    @Test
    void a_signature_that_stands_there_twice_or_not_at_all_is_refused() {
        Compiled policy = policy("'form': 'stripe'", "B");
        String good = stripe(now());

        var twice = Exchanges.of("POST", "/").with("Stripe-Signature", good).with("Stripe-Signature", good);
        assertThat(policy.stop(twice.body(BODY).make())).isPresent();
        var none = policy.stop(Exchanges.of("POST", "/").body(BODY).make());
        assertThat(Reading.detail(none.orElseThrow())).isEqualTo("The signature is missing");
    }

    @Test
    void once_takes_each_one_time_until_it_is_too_old_anyway() {
        Compiled policy = policy("'form': 'stripe', 'once': true", "B");
        String good = stripe(now());
        String bad = good.replace("v1=", "v1=00");

        assertThat(stopped(policy, bad)).isPresent(); // which uses nothing up
        assertThat(stopped(policy, good)).isEmpty();
        assertThat(stopped(policy, good)).isPresent();
        reading.services().clock().advance(Duration.ofSeconds(1));
        assertThat(stopped(policy, stripe(now()))).isEmpty();
    }

    @Test
    void once_remembers_it_longer_than_it_is_good() {
        Compiled policy = policy("'form': 'stripe', 'once': true, 'clockSkew': '0s'", "B");
        String good = stripe(now());

        assertThat(stopped(policy, good)).isEmpty();
        reading.services().clock().advance(Duration.ofMinutes(5)); // the last moment that it is good
        assertThat(stopped(policy, good)).isPresent();
    }

    @Test
    void once_knows_it_again_while_secrets_rotate() {
        put("C", "the secret that takes the place of it");
        Compiled stripe = policy("'form': 'stripe', 'once': true", "C", "B");
        String old = hmac(now() + "." + BODY);
        String fresh =
                HexFormat.of().formatHex(mac(bytes("the secret that takes the place of it"), now() + "." + BODY));
        String both = "t=%d,v1=%s,v1=%s".formatted(now(), old, fresh);

        assertThat(stopped(stripe, both)).isEmpty();
        for (String one : new String[] {old, fresh})
            assertThat(stopped(stripe, "t=%d,v1=%s".formatted(now(), one))).isPresent();

        Compiled github = policy("'form': 'github', 'once': true", "C", "B");
        String body = hmac(BODY);
        String other = HexFormat.of().formatHex(mac(bytes("the secret that takes the place of it"), BODY));
        var request = Exchanges.of("POST", "/").body(BODY);
        assertThat(github.stop(
                        request.with("X-Hub-Signature-256", "sha256=" + body).make()))
                .isEmpty();
        assertThat(github.stop(Exchanges.of("POST", "/")
                        .body(BODY)
                        .with("X-Hub-Signature-256", "sha256=" + other)
                        .make()))
                .isPresent();
    }

    @Test
    void a_prefix_names_the_fields_of_standard_webhooks() {
        Compiled policy = policy("'prefix': 'svix', 'once': true", "A");
        String before = "msg_1." + now() + '.';
        byte[] made = mac(Base64.getDecoder().decode(BASE64), before + BODY);
        var request = Exchanges.of("POST", "/")
                .with("svix-id", "msg_1")
                .with("svix-timestamp", Long.toString(now()))
                .with(
                        "svix-signature",
                        "v1a,AAAA v1,AAAA v1," + Base64.getEncoder().encodeToString(made));

        assertThat(policy.stop(request.body(BODY).make())).isEmpty();
        assertThat(policy.stop(request.body(BODY).make())).isPresent();
        assertThat(reading.policy("{'secrets': [{'env': 'GATEWAY_SECRET_A'}]}")
                        .stop(request.body(BODY).make()))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'secrets': []}",
                "{'form': 'github', 'maxAge': '1m', 'secrets': [{'env': 'GATEWAY_SECRET_B'}]}",
                "{'form': 'stripe', 'prefix': 'x', 'secrets': [{'env': 'GATEWAY_SECRET_B'}]}",
                "{'prefix': 'a b', 'secrets': [{'env': 'GATEWAY_SECRET_A'}]}",
                "{'name': 'a/b', 'secrets': [{'env': 'GATEWAY_SECRET_A'}]}",
                "{'maxAge': '61m', 'secrets': [{'env': 'GATEWAY_SECRET_A'}]}"
            })
    void what_cannot_work_is_refused_when_it_is_written(String json) {
        assertThat(reading.problems(json)).isNotEmpty();
    }

    @Test
    void secrets_that_are_none_are_refused_when_it_is_compiled() {
        put("C", "short");
        for (String form : new String[] {"github", "standard"}) {
            assertThatThrownBy(() -> policy("'form': '%s'".formatted(form), "C"))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("16 bytes")
                    .hasMessageNotContaining("short");
        }
        assertThatThrownBy(() -> policy("'form': 'standard'", "B")).hasMessageContaining("Base64");
    }

    private Optional<Response> stopped(Compiled policy, String signature) {
        return policy.stop(Exchanges.of("POST", "/")
                .with("Stripe-Signature", signature)
                .body(BODY)
                .make());
    }

    private Compiled policy(String fields, String... secrets) {
        String list = String.join(
                ", ",
                Arrays.stream(secrets)
                        .map("{'env': 'GATEWAY_SECRET_%s'}"::formatted)
                        .toList());
        return reading.policy("{%s, 'secrets': [%s]}".formatted(fields, list));
    }

    private long now() {
        return reading.services().clock().millis() / 1_000;
    }

    private static String stripe(long at) {
        return "t=%d,v1=%s".formatted(at, hmac(at + "." + BODY));
    }

    private static String hmac(String text) {
        return HexFormat.of().formatHex(mac(bytes("It's a Secret to Everybody"), text));
    }

    private static byte[] bytes(String secret) {
        return secret.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
