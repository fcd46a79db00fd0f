package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.key.PathGrant;
import gateway.service.DependencyException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class KeyAuthTest {
    private static final Instant LATER = Instant.parse("2026-07-01T00:00:00Z");

    private final Reading reading = new Reading(new KeyAuth.Type());
    private final ApiKey alice = reading.services().keys().add("s3cret", key("alice", ApiGrant.WHOLE));

    @Test
    void lets_a_key_pass_and_names_the_caller() {
        var exchange =
                Exchanges.get("/items").with("Authorization", "Bearer s3cret").make();

        var stop = reading.policy("{}").stop(exchange);

        assertThat(stop).isEmpty();
        assertThat(exchange.consumer()).contains(alice);
    }

    @Test
    void takes_a_secret_without_scheme_or_with_bearer_in_any_case() {
        var policy = reading.policy("{}");

        assertThat(policy.stop(
                        Exchanges.get("/").with("Authorization", "s3cret").make()))
                .isEmpty();
        assertThat(policy.stop(Exchanges.get("/")
                        .with("authorization", "bEARER  s3cret")
                        .make()))
                .isEmpty();
    }

    @Test
    void says_that_the_key_is_missing() {
        var policy = reading.policy("{}");

        for (String value : List.of("", "Bearer", "Bearer ")) {
            Response stop = policy.stop(
                            Exchanges.get("/").with("Authorization", value).make())
                    .orElseThrow();

            assertThat(stop.status()).isEqualTo(401);
            assertThat(stop.headers().first("WWW-Authenticate")).contains("Bearer realm=\"orders\"");
            assertThat(Reading.detail(stop)).isEqualTo("The API key is missing");
        }
        assertThat(policy.stop(Exchanges.get("/").make())).map(Response::status).contains(401);
    }

    @Test
    void says_that_the_key_is_invalid() {
        Response stop = stop(
                "{}", Exchanges.get("/").with("Authorization", "Bearer guess").make());

        assertThat(stop.status()).isEqualTo(401);
        assertThat(stop.headers().first("WWW-Authenticate"))
                .contains("Bearer realm=\"orders\", error=\"invalid_token\"");
        assertThat(Reading.detail(stop)).isEqualTo("The API key is invalid");
    }

    @Test
    void does_not_ask_the_store_about_a_secret_that_is_too_long() {
        Response stop = stop(
                "{}", Exchanges.get("/").with("Authorization", "x".repeat(257)).make());

        assertThat(Reading.detail(stop)).isEqualTo("The API key is invalid");
        assertThat(reading.services().keys().lookups()).isZero();
    }

    @Test
    void says_that_the_key_is_disabled() {
        reading.services().keys().add("off", disabled());

        Response stop =
                stop("{}", Exchanges.get("/").with("Authorization", "off").make());

        assertThat(stop.status()).isEqualTo(401);
        assertThat(Reading.detail(stop)).isEqualTo("The API key is disabled");
    }

    @Test
    void says_that_the_key_is_expired_from_its_last_moment_on() {
        reading.services().keys().add("old", expiring(LATER));
        var policy = reading.policy("{}");
        reading.services().clock().set(LATER.minus(Duration.ofNanos(1)));
        assertThat(policy.stop(Exchanges.get("/").with("Authorization", "old").make()))
                .isEmpty();

        reading.services().clock().set(LATER);
        Response stop = policy.stop(
                        Exchanges.get("/").with("Authorization", "old").make())
                .orElseThrow();

        assertThat(stop.status()).isEqualTo(401);
        assertThat(Reading.detail(stop)).isEqualTo("The API key is expired");
    }

    @Test
    void refuses_with_403_what_the_key_does_not_open_but_names_the_caller() {
        var exchange = Exchanges.get("/")
                .inApi("catalogue")
                .with("Authorization", "s3cret")
                .make();

        Response stop = stop("{}", exchange);

        assertThat(stop.status()).isEqualTo(403);
        assertThat(stop.headers().contains("WWW-Authenticate")).isFalse();
        assertThat(exchange.consumer()).contains(alice);
    }

    @Test
    void opens_nothing_by_a_key_without_apis() {
        reading.services().keys().add("bare", bare());

        Response stop =
                stop("{}", Exchanges.get("/").with("Authorization", "bare").make());

        assertThat(stop.status()).isEqualTo(403);
    }

    @Test
    void opens_only_the_paths_and_methods_that_the_key_names() {
        var items = new ApiGrant(List.of(new PathGrant("/items", Set.of("GET"))));
        reading.services().keys().add("part", key("part", items));
        var policy = reading.policy("{'header': 'X-API-Key'}");

        assertThat(policy.stop(
                        Exchanges.get("/items/7").with("X-API-Key", "part").make()))
                .isEmpty();
        assertThat(policy.stop(
                        Exchanges.get("/itemsx").with("X-API-Key", "part").make()))
                .map(Response::status)
                .contains(403);
        assertThat(policy.stop(
                        Exchanges.of("POST", "/items").with("X-API-Key", "part").make()))
                .map(Response::status)
                .contains(403);
    }

    @Test
    void opens_only_the_versions_that_the_key_names() {
        reading.services().keys().add("second", key("second", new ApiGrant(List.of(), List.of("v2", "v3"))));
        var policy = reading.policy("{'header': 'X-API-Key'}");

        assertThat(policy.stop(Exchanges.get("/")
                        .inVersion("v2")
                        .with("X-API-Key", "second")
                        .make()))
                .isEmpty();
        assertThat(policy.stop(Exchanges.get("/")
                                .inVersion("v1")
                                .with("X-API-Key", "second")
                                .make())
                        .map(Reading::detail))
                .contains("The API key does not open this version of the API");
        assertThat(policy.stop(Exchanges.get("/").with("X-API-Key", "second").make())
                        .map(Response::status))
                .contains(403);
    }

    @Test
    void looks_at_cookie_query_and_header_in_this_order() {
        var policy = reading.policy("{'cookie': 'session', 'query': 'key', 'header': 'X-API-Key'}");

        assertThat(policy.stop(Exchanges.get("/?key=bad")
                        .with("Cookie", "a=b; session=s3cret")
                        .make()))
                .isEmpty();
        assertThat(policy.stop(
                        Exchanges.get("/?key=s3cret").with("X-API-Key", "bad").make()))
                .isEmpty();
        assertThat(policy.stop(
                        Exchanges.get("/?key=").with("X-API-Key", "s3cret").make()))
                .isEmpty();
        assertThat(policy.stop(
                        Exchanges.get("/").with("Authorization", "s3cret").make()))
                .map(Reading::detail)
                .contains("The API key is missing");
    }

    @Test
    void challenges_without_a_registered_scheme_when_the_key_is_not_in_authorization() {
        Response stop = stop("{'header': 'X-API-Key'}", Exchanges.get("/").make());

        assertThat(stop.headers().first("WWW-Authenticate")).contains("ApiKey realm=\"orders\"");
    }

    @Test
    void takes_the_secret_out_of_every_place_before_the_upstream_sees_it() {
        var exchange = Exchanges.get("/?key=s3cret&page=2")
                .with("Cookie", "a=b; session=s3cret; c=d")
                .with("X-API-Key", "s3cret")
                .make();

        reading.policy("{'cookie': 'session', 'query': 'key', 'header': 'X-API-Key'}")
                .stop(exchange);

        assertThat(exchange.outgoing().query()).isEqualTo("page=2");
        assertThat(exchange.headers().all("Cookie")).containsExactly("a=b; c=d");
        assertThat(exchange.headers().contains("X-API-Key")).isFalse();
    }

    @Test
    void leaves_out_the_cookie_header_when_nothing_else_was_in_it() {
        var exchange = Exchanges.get("/").with("Cookie", "session=s3cret").make();

        reading.policy("{'cookie': 'session'}").stop(exchange);

        assertThat(exchange.headers().contains("Cookie")).isFalse();
    }

    @Test
    void forwards_the_secret_when_told_to() {
        var exchange = Exchanges.get("/").with("Authorization", "Bearer s3cret").make();

        reading.policy("{'forwardCredential': true}").stop(exchange);

        assertThat(exchange.headers().first("Authorization")).contains("Bearer s3cret");
    }

    @Test
    void asks_for_no_key_when_authentication_is_waived_but_still_takes_the_secret_out() {
        var exchange = Exchanges.get("/").with("Authorization", "Bearer s3cret").make();
        exchange.waiveAuthentication();

        var stop = reading.policy("{}").stop(exchange);

        assertThat(stop).isEmpty();
        assertThat(exchange.consumer()).isEmpty();
        assertThat(exchange.headers().contains("Authorization")).isFalse();
        assertThat(reading.services().keys().lookups()).isZero();
    }

    @Test
    void leaves_an_outage_of_the_store_to_the_pipeline_which_denies() {
        reading.services().keys().goAway();
        var policy = reading.policy("{}");

        assertThatThrownBy(() -> policy.stop(
                        Exchanges.get("/").with("Authorization", "s3cret").make()))
                .isInstanceOf(DependencyException.class);
        assertThat(reading.type().outages()).isEmpty(); // it never lets anybody pass unseen
    }

    @Test
    void refuses_names_that_cannot_be() {
        assertThat(reading.problems("{'header': 'X Key', 'cookie': 'a;b', 'query': '', 'forwardCredential': 1}"))
                .containsExactlyInAnyOrder(
                        "/header: expected a header name, got \"X Key\"",
                        "/cookie: expected a cookie name, got \"a;b\"",
                        "/query: expected text, got \"\"",
                        "/forwardCredential: expected true or false, got 1");
    }

    private Response stop(String json, Exchange exchange) {
        return reading.policy(json).stop(exchange).orElseThrow();
    }

    private static ApiKey key(String id, ApiGrant grant) {
        return new ApiKey(
                id,
                id,
                true,
                Optional.empty(),
                Map.of("orders", grant),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
    }

    private static ApiKey disabled() {
        var key = key("off", ApiGrant.WHOLE);
        return new ApiKey(
                key.id(),
                key.name(),
                false,
                key.expires(),
                key.apis(),
                key.rateLimit(),
                key.quota(),
                key.tags(),
                key.metadata());
    }

    private static ApiKey expiring(Instant at) {
        var key = key("old", ApiGrant.WHOLE);
        return new ApiKey(
                key.id(),
                key.name(),
                true,
                Optional.of(at),
                key.apis(),
                key.rateLimit(),
                key.quota(),
                key.tags(),
                key.metadata());
    }

    private static ApiKey bare() {
        var key = key("bare", ApiGrant.WHOLE);
        return new ApiKey(
                key.id(),
                key.name(),
                true,
                key.expires(),
                Map.of(),
                key.rateLimit(),
                key.quota(),
                key.tags(),
                key.metadata());
    }
}
