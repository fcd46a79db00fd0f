package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import gateway.http.Consumer;
import gateway.http.Exchanges;
import gateway.http.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BasicAuthTest {
    private static final String HASH = hash("wonderland");

    private final Reading reading = new Reading(new BasicAuth.Type());

    @Test
    void lets_a_user_pass_and_names_the_caller() {
        var exchange = Exchanges.get("/")
                .with("Authorization", basic("alice", "wonderland"))
                .make();

        var stop = reading.policy(alice(HASH)).stop(exchange);

        Consumer caller = exchange.consumer().orElseThrow();
        assertThat(stop).isEmpty();
        assertThat(caller.id()).isEqualTo("basic:orders/alice");
        assertThat(caller.name()).isEqualTo("alice");
        assertThat(caller.tags()).isEqualTo(List.of("gold"));
        assertThat(caller.metadata()).isEqualTo(Map.of("plan", "gold"));
    }

    @Test
    void takes_every_kind_of_bcrypt_and_passwords_beyond_ascii_and_with_colons() {
        String password = "a:ß漢";
        for (BCrypt.Version version :
                List.of(BCrypt.Version.VERSION_2A, BCrypt.Version.VERSION_2B, BCrypt.Version.VERSION_2Y)) {
            byte[] hash = BCrypt.with(version).hash(4, password.getBytes(StandardCharsets.UTF_8));

            var stop = reading.policy(alice(new String(hash, StandardCharsets.US_ASCII)))
                    .stop(Exchanges.get("/")
                            .with("Authorization", basic("alice", password))
                            .make());

            assertThat(stop).as(version.toString()).isEmpty();
        }
    }

    @Test
    void compares_the_first_72_bytes_of_a_long_password() {
        var policy = reading.policy(alice(hash("x".repeat(72))));

        assertThat(policy.stop(Exchanges.get("/")
                        .with("Authorization", basic("alice", "x".repeat(80)))
                        .make()))
                .isEmpty();
        assertThat(policy.stop(Exchanges.get("/")
                        .with("Authorization", basic("alice", "x".repeat(71)))
                        .make()))
                .isPresent();
    }

    @Test
    void says_that_credentials_are_missing() {
        var policy = reading.policy(alice(HASH));

        Response none = policy.stop(Exchanges.get("/").make()).orElseThrow();
        Response bearer = policy.stop(
                        Exchanges.get("/").with("Authorization", "Bearer x").make())
                .orElseThrow();

        assertThat(none.status()).isEqualTo(401);
        assertThat(none.headers().first("WWW-Authenticate")).contains("Basic realm=\"orders\", charset=\"UTF-8\"");
        assertThat(Reading.detail(none)).isEqualTo("The user name and password are missing");
        assertThat(Reading.detail(bearer)).isEqualTo("The user name and password are missing");
    }

    @Test
    void says_that_credentials_are_invalid() {
        var policy = reading.policy(alice(HASH));
        String nul =
                "Basic " + Base64.getEncoder().encodeToString("alice:wonder\0land".getBytes(StandardCharsets.UTF_8));

        for (String value : List.of(
                basic("alice", "wonder"),
                basic("alice", ""),
                basic("bob", "wonderland"),
                basic("", ""),
                "Basic",
                "Basic ",
                "Basic %%%",
                "Basic YWxpY2U=",
                nul,
                "Basic " + "A".repeat(2_000))) {
            var exchange = Exchanges.get("/").with("Authorization", value).make();

            Response stop = policy.stop(exchange).orElseThrow();

            assertThat(stop.status()).as(value).isEqualTo(401);
            assertThat(exchange.consumer()).as(value).isEmpty();
        }
    }

    @Test
    void does_not_let_an_unknown_user_in_by_the_password_that_stands_in() {
        var policy = reading.policy(alice(HASH));
        policy.stop(Exchanges.get("/")
                .with("Authorization", basic("alice", "wonderland"))
                .make());

        var stop = policy.stop(Exchanges.get("/")
                .with("Authorization", basic("bob", "wonderland"))
                .make());

        assertThat(stop).map(Reading::detail).contains("The user name and password are invalid");
    }

    @Test
    void remembers_a_right_password_for_as_long_as_told() {
        var hash = read(HASH);
        var verified = VerifiedPasswords.create(
                Duration.ofSeconds(10),
                new PasswordHashing(reading.services().workers()),
                reading.services().clock());
        byte[] right = bytes("wonderland");
        byte[] wrong = bytes("wonder");

        assertThat(verified.verify(hash, right, true)).isEqualTo(VerifiedPasswords.Answer.RIGHT);
        assertThat(verified.verify(hash, wrong, true)).isEqualTo(VerifiedPasswords.Answer.WRONG);

        assertThat(verified.contains(hash, right)).isTrue();
        assertThat(verified.contains(hash, wrong)).isFalse();
        assertThat(verified.contains(read(hash("wonderland")), right)).isFalse();
        reading.services().clock().advance(Duration.ofSeconds(10));
        assertThat(verified.contains(hash, right)).isFalse();
    }

    @Test
    void remembers_no_password_of_a_request_that_is_only_explained() {
        var policy = reading.policy(alice(HASH));
        var exchange = Exchanges.get("/")
                .with("Authorization", basic("alice", "wonderland"))
                .make();
        exchange.suppose();

        assertThat(policy.stop(exchange)).isEmpty();

        var verified = reading.services()
                .shared(new VerifiedPasswords.Id(Duration.ofMinutes(1)), VerifiedPasswords.class, () -> {
                    throw new AssertionError("not shared");
                });
        assertThat(verified.contains(read(HASH), bytes("wonderland"))).isFalse();
    }

    @Test
    void shares_what_it_remembers_with_its_successor_after_a_reload() {
        reading.policy(alice(HASH))
                .stop(Exchanges.get("/")
                        .with("Authorization", basic("alice", "wonderland"))
                        .make());

        var verified = reading.services()
                .shared(new VerifiedPasswords.Id(Duration.ofMinutes(1)), VerifiedPasswords.class, () -> {
                    throw new AssertionError("made anew");
                });

        assertThat(verified.contains(read(HASH), bytes("wonderland"))).isTrue();
    }

    @Test
    void takes_the_credentials_out_unless_told_to_forward_them() {
        var stripped = Exchanges.get("/")
                .with("Authorization", basic("alice", "wonderland"))
                .make();
        var forwarded = Exchanges.get("/")
                .with("Authorization", basic("alice", "wonderland"))
                .make();

        reading.policy(alice(HASH)).stop(stripped);
        reading.policy(alice(HASH).replace("'users'", "'forwardCredential': true, 'users'"))
                .stop(forwarded);

        assertThat(stripped.headers().contains("Authorization")).isFalse();
        assertThat(forwarded.headers().contains("Authorization")).isTrue();
    }

    @Test
    void asks_for_no_credentials_when_authentication_is_waived() {
        var exchange = Exchanges.get("/").make();
        exchange.waiveAuthentication();

        assertThat(reading.policy(alice(HASH)).stop(exchange)).isEmpty();
    }

    @Test
    void challenges_with_the_realm_it_is_given() {
        var policy = reading.policy(alice(HASH).replace("'users'", "'realm': 'My shop', 'users'"));

        assertThat(policy.stop(Exchanges.get("/").make())
                        .orElseThrow()
                        .headers()
                        .first("WWW-Authenticate"))
                .contains("Basic realm=\"My shop\", charset=\"UTF-8\"");
    }

    @Test
    void prints_no_password_and_no_hash() {
        assertThat(reading.spec(alice(HASH)).toString())
                .contains("alice", "***")
                .doesNotContain(HASH);
        assertThat(Credentials.parse(basic("alice", "wonderland"))).hasToString("Optional[alice:***]");
    }

    @Test
    void refuses_a_password_in_the_clear_without_repeating_it() {
        assertThat(reading.problems(alice("hunter2")))
                .containsExactly("/users/0/password: expected a bcrypt hash (\"$2b$12$…\"), as `htpasswd -nBC 12 NAME`"
                        + " prints it");
        assertThat(reading.problems(alice("hunter2").replace("'hunter2'", "4711")))
                .singleElement()
                .asString()
                .doesNotContain("4711");
    }

    @Test
    void refuses_a_hash_that_costs_too_much() {
        assertThat(reading.problems(alice(HASH.replace("$04$", "$15$"))))
                .containsExactly("/users/0/password: expected a cost of 4 to 14, got 15");
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{'users': [{'name': 'a:b', 'password': '" + HASH + "', 'tags': [1]},"
                        + "{'name': 'c', 'password': '" + HASH + "', 'metadata': {'x': 1}, 'role': 'x'},"
                        + "{'name': 'c', 'password': '" + HASH + "'}], 'realm': 'a\\'', 'cacheFor': '2h'}"))
                .containsExactlyInAnyOrder(
                        "/users/0/name: expected 1 to 128 characters without \":\" and control characters",
                        "/users/0/tags/0: expected text, got 1",
                        "/users/1/metadata/x: expected text, got 1",
                        "/users/1/role: unknown field",
                        "/users/2/name: \"c\" is there twice",
                        "/realm: expected printable ASCII without quotes and backslashes, got \"a\\\"\"",
                        "/cacheFor: expected a duration from 1s to 1h, got \"2h\"");
        assertThat(reading.problems("{}")).containsExactly("/users: expected at least one user, got none");
        assertThat(reading.problems("{'users': []}")).containsExactly("/users: expected at least one user, got none");
    }

    private static String alice(String hash) {
        return "{'users': [{'name': 'alice', 'password': '" + hash
                + "', 'tags': ['gold'], 'metadata': {'plan': 'gold'}}]}";
    }

    private static PasswordHash read(String hash) {
        return PasswordHash.read(gateway.json.ConfigNode.parse('"' + hash + '"'));
    }

    private static String hash(String password) {
        return BCrypt.withDefaults().hashToString(4, password.toCharArray());
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString(bytes(user + ":" + password));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
