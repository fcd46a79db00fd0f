package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.ClientCertificate;
import gateway.http.Consumer;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.policy.Dependency;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;

final class MtlsAuthTest {
    private static final String DIGEST = "ab".repeat(32);
    private static final ClientCertificate BILLING =
            new ClientCertificate(DIGEST, new X500Principal("CN=billing, O=Example"));
    private static final ClientCertificate OTHER =
            new ClientCertificate("cd".repeat(32), new X500Principal("CN=other"));

    private final Reading reading = new Reading(new MtlsAuth.Type());

    @Test
    void says_that_the_certificate_is_missing() {
        Response stop = reading.policy("{}").stop(Exchanges.get("/").make()).orElseThrow();

        assertThat(stop.status()).isEqualTo(401);
        assertThat(stop.headers().first("WWW-Authenticate")).contains("Certificate realm=\"orders\"");
        assertThat(Reading.detail(stop)).isEqualTo("The client certificate is missing");
    }

    @Test
    void lets_every_certificate_of_the_listener_pass_when_no_clients_are_named() {
        var exchange = Exchanges.get("/").showing(BILLING).make();

        assertThat(reading.policy("{}").stop(exchange)).isEmpty();
        Consumer caller = exchange.consumer().orElseThrow();
        assertThat(caller.id()).isEqualTo("certificate:" + DIGEST);
        assertThat(caller.name()).isEqualTo("CN=billing,O=Example");
    }

    @Test
    void knows_clients_by_digest_or_subject_however_they_are_written() {
        for (String known : List.of(
                "'sha256': '" + "AB:".repeat(31) + "AB'",
                "'sha256': '" + DIGEST + "'",
                "'subject': 'cn=Billing,o=example'")) {
            var policy = reading.policy("{'clients': [{" + known
                    + ", 'name': 'billing', 'tags': ['internal'], 'metadata': {'team': 'money'}}]}");
            var exchange = Exchanges.get("/").showing(BILLING).make();

            assertThat(policy.stop(exchange)).isEmpty();
            assertThat(exchange.consumer().orElseThrow().name()).isEqualTo("billing");
            assertThat(exchange.consumer().orElseThrow().tags()).containsExactly("internal");
            assertThat(exchange.consumer().orElseThrow().metadata()).isEqualTo(Map.of("team", "money"));
            assertThat(Reading.detail(
                            policy.stop(Exchanges.get("/").showing(OTHER).make())
                                    .orElseThrow()))
                    .isEqualTo("The client certificate is unknown");
        }
    }

    @Test
    void a_client_with_a_key_may_what_the_key_may() {
        ApiKey alice = reading.services().keys().add("s3cret", key("orders", Optional.empty(), true));
        var policy = reading.policy("{'clients': [{'sha256': '" + DIGEST + "', 'key': '" + alice.id() + "'}]}");
        var exchange = Exchanges.get("/items").showing(BILLING).make();

        assertThat(policy.stop(exchange)).isEmpty();
        assertThat(exchange.consumer()).contains(alice);
        assertThat(policy.stop(
                        Exchanges.get("/").inApi("catalogue").showing(BILLING).make()))
                .map(Response::status)
                .contains(403);
        assertThat(reading.spec("{'clients': [{'sha256': '" + DIGEST + "', 'key': 'k'}]}")
                        .dependencies())
                .containsExactly(Dependency.Store.KEYS);
    }

    @Test
    void a_change_of_the_key_holds_for_the_next_request() {
        var policy = reading.policy("{'clients': [{'sha256': '" + DIGEST + "', 'key': 'key_b'}]}");
        assertThat(refusal(policy)).contains("The certificate's API key does not exist");

        ApiKey bob = key("orders", Optional.empty(), true).withId("key_b");
        reading.services().keys().add("s3cret", bob);
        assertThat(refusal(policy)).isEmpty();

        reading.services().keys().replace(key("orders", Optional.empty(), false).withId("key_b"), Optional.empty());
        assertThat(refusal(policy)).contains("The certificate's API key is disabled");

        reading.services().keys().delete(bob.id(), Optional.empty());
        assertThat(refusal(policy)).contains("The certificate's API key does not exist");
    }

    private static Optional<String> refusal(Reading.Compiled policy) {
        return policy.stop(Exchanges.get("/").showing(BILLING).make()).map(Reading::detail);
    }

    @Test
    void a_key_that_is_disabled_or_expired_opens_nothing() {
        Instant past = reading.services().clock().instant().minusSeconds(1);
        for (var each : Map.of(
                        "disabled", key("orders", Optional.empty(), false),
                        "expired", key("orders", Optional.of(past), true))
                .entrySet()) {
            ApiKey stored = reading.services().keys().add(each.getKey(), each.getValue());
            var policy = reading.policy("{'clients': [{'sha256': '" + DIGEST + "', 'key': '" + stored.id() + "'}]}");

            assertThat(Reading.detail(
                            policy.stop(Exchanges.get("/").showing(BILLING).make())
                                    .orElseThrow()))
                    .endsWith(each.getKey());
        }
    }

    @Test
    void asks_for_nothing_where_authentication_is_waived() {
        var exchange = Exchanges.get("/").make();
        exchange.waiveAuthentication();

        assertThat(reading.policy("{}").stop(exchange)).isEmpty();
    }

    @Test
    void names_each_wrong_field() {
        assertThat(reading.problems("{'clients': [{}, {'sha256': 'ab', 'subject': 'CN=a'}, {'subject': 'billing'}]}"))
                .containsExactlyInAnyOrder(
                        "/clients/0: expected either sha256 or subject, got neither",
                        "/clients/1/sha256: expected the SHA-256 of a certificate, 64 hexadecimal digits, got \"ab\"",
                        "/clients/1: expected either sha256 or subject, got both",
                        "/clients/2/subject: expected a name such as \"CN=billing,O=Example\", got \"billing\"");
        assertThat(reading.problems("{'clients': []}")).hasSize(1);
        assertThat(reading.problems("{'clients': [{'subject': 'CN=a'}, {'subject': 'cn=A'}]}"))
                .containsExactly("/clients: expected each client once");
        assertThatThrownBy(() -> reading.spec("{'clients': [{'subject': 'CN=a', 'key': 'k', 'name': 'n'}]}"))
                .hasMessageContaining("/clients/0/name: expected nothing, since the key has a name");
    }

    private static ApiKey key(String api, Optional<Instant> expires, boolean enabled) {
        return new ApiKey(
                "",
                "alice",
                enabled,
                expires,
                Map.of(api, ApiGrant.WHOLE),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
    }
}
