package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.answer;
import static gateway.policies.cache.CachedRoute.status;
import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ResponseCacheTest {
    @Test
    void an_answer_is_given_again_while_it_is_fresh_and_tells_its_age() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        Response first = route.get("/a");
        route.passes(Duration.ofSeconds(30));

        Response second = route.get("/a");

        assertThat(status(first)).isEqualTo("gateway; fwd=miss; stored");
        assertThat(text(second)).isEqualTo("answer 1");
        assertThat(second.headers().all("Age")).containsExactly("30");
        assertThat(status(second)).isEqualTo("gateway; hit; ttl=30");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", \"lockFor\": \"0s\""})
    void a_stale_answer_is_given_at_once_and_one_request_renews_it_behind(String fields) {
        CachedRoute route = stale(fields);
        var meanwhile = new ArrayList<Response>();
        route.answers(_ -> {
            meanwhile.add(route.get("/a"));
            return answer(200, "new", "Cache-Control", "max-age=60");
        });

        Response first = route.get("/a");

        assertThat(List.of(first, meanwhile.getFirst())).allSatisfy(given -> {
            assertThat(text(given)).isEqualTo("answer 1");
            assertThat(status(given)).isEqualTo("gateway; hit; ttl=-10");
        });
        assertThat(meanwhile).hasSize(1);
        assertThat(route.asked()).isEqualTo(2);
        assertThat(status(route.get("/a"))).isEqualTo("gateway; hit; ttl=60");
    }

    @Test
    void what_is_renewed_behind_an_answer_is_asked_for_by_its_validator() {
        CachedRoute route = CachedRoute.with(", \"staleWhileRevalidate\": \"30s\"")
                .counts("Cache-Control", "max-age=60", "ETag", "\"1\"");
        route.get("/a");
        route.passes(Duration.ofSeconds(70));
        route.answers(_ -> Response.of(304).with("Cache-Control", "max-age=60"));

        Response given = route.send(Exchanges.get("/a").with("If-None-Match", "\"1\""));

        assertThat(given.status()).isEqualTo(304);
        assertThat(route.last().headers().all("If-None-Match")).containsExactly("\"1\"");
        assertThat(status(route.get("/a"))).isEqualTo("gateway; hit; ttl=60");
    }

    @Test
    void a_renewal_that_fails_leaves_the_stale_answer_and_the_next_request_tries_again() {
        CachedRoute route = stale("").answers(_ -> Response.of(503));

        assertThat(text(route.get("/a"))).isEqualTo("answer 1");
        assertThat(text(route.get("/a"))).isEqualTo("answer 1");

        assertThat(route.asked()).isEqualTo(3);
    }

    @Test
    void where_there_is_no_room_to_renew_the_next_request_tries_again() {
        CachedRoute route = stale("").counts("Cache-Control", "max-age=60");
        route.renews(false);
        assertThat(text(route.get("/a"))).isEqualTo("answer 1");
        assertThat(route.asked()).isEqualTo(1);
        route.renews(true);

        assertThat(text(route.get("/a"))).isEqualTo("answer 1");

        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
    }

    @Test
    void a_renewal_that_is_too_large_ends_what_was_kept() {
        CachedRoute route = stale(", \"maxObject\": 8");
        route.answers(_ -> answer(200, "larger than that", "Cache-Control", "max-age=60"));

        assertThat(text(route.get("/a"))).isEqualTo("answer 1");
        assertThat(text(route.get("/a"))).isEqualTo("larger than that");
        route.passes(Duration.ofSeconds(61));
        assertThat(text(route.get("/a"))).isEqualTo("larger than that");
    }

    @ParameterizedTest
    @CsvSource({"If-None-Match, 'W/\"other\"'", "Range, bytes=0-1"})
    void who_wants_less_than_all_waits_for_no_renewal_either(String name, String value) {
        CachedRoute route = stale("").counts("Cache-Control", "max-age=60");

        Response given = route.send(Exchanges.get("/a").with(name, value));

        assertThat(status(given)).isEqualTo("gateway; hit; ttl=-10");
        assertThat(route.last().headers().contains(name)).isFalse();
        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
    }

    @Test
    void head_is_given_what_is_stale_and_renews_nothing() {
        CachedRoute route = stale("").counts("Cache-Control", "max-age=60");

        Response given = route.send(Exchanges.of("HEAD", "/a"));

        assertThat(status(given)).isEqualTo("gateway; hit; ttl=-10");
        assertThat(route.asked()).isEqualTo(1);
    }

    /// By which one caller would end what stands in for all.
    @ParameterizedTest
    @ValueSource(ints = {206, 400, 401, 403, 407, 408, 412, 416, 429, 431})
    void what_is_said_to_one_caller_or_for_a_moment_ends_nothing_that_is_for_all(int status) {
        CachedRoute route =
                CachedRoute.with(", \"staleIfError\": \"10m\"").counts("Cache-Control", "public, max-age=60");
        route.get("/a");
        route.passes(Duration.ofSeconds(61));
        route.answers(_ -> Response.of(status));

        Response refused = route.send(Exchanges.get("/a").with("Authorization", "bad"));
        Response stoodIn = route.answers(_ -> Response.of(503)).get("/a");

        assertThat(refused.status()).isEqualTo(status);
        assertThat(text(stoodIn)).isEqualTo("answer 1");
    }

    @Test
    void what_says_that_nothing_is_there_any_more_ends_what_is_kept() {
        CachedRoute route =
                CachedRoute.with(", \"staleIfError\": \"10m\"").counts("Cache-Control", "public, max-age=60");
        route.get("/a");
        route.passes(Duration.ofSeconds(61));
        route.answers(_ -> Response.of(410)).get("/a");

        assertThat(route.answers(_ -> Response.of(503)).get("/a").status()).isEqualTo(503);
    }

    /// An answer that has been stale for ten seconds of thirty.
    private static CachedRoute stale(String fields) {
        CachedRoute route =
                CachedRoute.with(", \"staleWhileRevalidate\": \"30s\"" + fields).counts("Cache-Control", "max-age=60");
        route.get("/a");
        route.passes(Duration.ofSeconds(70));
        return route;
    }

    @Test
    void what_is_fresh_and_not_wanted_is_no_stale_answer() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/a");

        Response other = route.send(Exchanges.get("/a").with("Cache-Control", "no-cache"));

        assertThat(text(other)).isEqualTo("answer 2");
        assertThat(status(other)).isEqualTo("gateway; fwd=request; fwd-status=200; stored");
    }

    @Test
    void the_handshake_of_a_web_socket_is_passed_by() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/a");

        Response handshake = route.send(Exchanges.get("/a").openingWebSocket());

        assertThat(text(handshake)).isEqualTo("answer 2");
    }

    @Test
    void a_stale_answer_without_a_validator_is_replaced() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/a");
        route.passes(Duration.ofSeconds(60));

        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Cache-Control|s-maxage=60, max-age=1",
                "CDN-Cache-Control|max-age=60",
                "Cache-Control|MAX-AGE=\"60\", foo=\"a, no-store\"",
                "Expires|Mon, 01 Jun 2026 00:01:00 GMT",
                "Expires|Monday, 01-Jun-26 00:01:00 GMT",
                "Expires|Mon Jun  1 00:01:00 2026",
            })
    void how_long_it_is_fresh_is_read_in_every_form(String name, String value) {
        CachedRoute route = CachedRoute.with("").counts(name, value);
        route.get("/a");
        route.passes(Duration.ofSeconds(59));
        route.get("/a");
        assertThat(route.asked()).isEqualTo(1);
        route.passes(Duration.ofSeconds(1));

        route.get("/a");

        assertThat(route.asked()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Cache-Control|no-store, max-age=60",
                "Cache-Control|private, max-age=60",
                "Cache-Control|private=\"X-A\", max-age=60",
                "Cache-Control|max-age=60, max-age=0",
                "Cache-Control|max-age=-60",
                "Cache-Control|max-age=1.5",
                "CDN-Cache-Control|no-store",
                "Expires|0",
                "Vary|*",
                "Vary|X-Forwarded-For",
                "Set-Cookie|a=b",
                "Content-Type|text/event-stream",
            })
    void what_may_not_be_kept_is_not(String name, String value) {
        CachedRoute route = CachedRoute.with("");
        route.answers(_ -> {
            Response answer = answer(200, "answer " + route.asked(), "ETag", "\"1\"");
            if (!name.endsWith("Control") && !name.equals("Expires")) answer.with("Cache-Control", "max-age=60");
            return answer.with(name, value);
        });
        route.get("/a");

        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
    }

    @ParameterizedTest
    @ValueSource(ints = {206, 401, 407, 416, 429})
    void answers_that_are_for_one_request_are_not_kept(int status) {
        CachedRoute route = CachedRoute.with("").answers(_ -> answer(status, "x", "Cache-Control", "max-age=60"));
        route.get("/a");
        route.get("/a");

        assertThat(route.asked()).isEqualTo(2);
    }

    @Test
    void what_the_definition_says_holds_where_the_answer_says_nothing() {
        CachedRoute route = CachedRoute.with(", \"for\": \"60s\"").counts();
        route.get("/a");

        assertThat(text(route.get("/a"))).isEqualTo("answer 1");
    }

    @Test
    void the_upstreams_word_on_freshness_may_be_set_aside_but_not_its_refusal() {
        CachedRoute route = CachedRoute.with(", \"for\": \"60s\", \"respectUpstream\": false")
                .answers(each -> answer(
                        200, "x", "Cache-Control", each.path().equals("/a") ? "max-age=0" : "no-store, max-age=60"));
        route.get("/a");
        route.get("/a");
        assertThat(route.asked()).isEqualTo(1);

        route.get("/b");
        route.get("/b");

        assertThat(route.asked()).isEqualTo(3);
    }

    @Test
    void a_stale_answer_that_still_holds_is_given_with_new_fields() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60", "ETag", "\"1\"", "X-A", "old");
        route.get("/a");
        route.passes(Duration.ofSeconds(61));
        route.answers(_ -> Response.of(304).with("Cache-Control", "max-age=90").with("X-A", "new"));

        Response renewed = route.get("/a");
        route.passes(Duration.ofSeconds(80));
        Response later = route.get("/a");

        assertThat(route.last().headers().all("If-None-Match")).containsExactly("\"1\"");
        assertThat(text(renewed)).isEqualTo("answer 1");
        assertThat(status(renewed)).isEqualTo("gateway; fwd=stale; fwd-status=304");
        assertThat(renewed.headers().all("X-A")).containsExactly("new");
        assertThat(text(later)).isEqualTo("answer 1");
        assertThat(route.asked()).isEqualTo(2);
    }

    @Test
    void a_client_that_has_the_same_gets_304() {
        CachedRoute route = CachedRoute.with("")
                .counts(
                        "Cache-Control",
                        "max-age=60",
                        "ETag",
                        "\"1\"",
                        "Last-Modified",
                        "Sun, 31 May 2026 00:00:00 GMT");
        route.get("/a");

        assertThat(route.send(Exchanges.get("/a").with("If-None-Match", "\"0\", W/\"1\""))
                        .status())
                .isEqualTo(304);
        assertThat(route.send(Exchanges.get("/a").with("If-None-Match", "\"2\""))
                        .status())
                .isEqualTo(200);
        assertThat(route.send(Exchanges.get("/a").with("If-Modified-Since", "Sun, 31 May 2026 00:00:00 GMT"))
                        .status())
                .isEqualTo(304);
        assertThat(route.asked()).isEqualTo(1);
    }

    @Test
    void a_part_is_cut_out_of_the_whole() {
        CachedRoute route = CachedRoute.with("")
                .answers(_ -> answer(200, "0123456789", "Cache-Control", "max-age=60", "ETag", "\"1\""));
        route.get("/a");

        Response middle = route.send(Exchanges.get("/a").with("Range", "bytes=2-4"));
        Response end = route.send(Exchanges.get("/a").with("Range", "bytes=-3"));
        Response beyond = route.send(Exchanges.get("/a").with("Range", "bytes=10-"));
        Response other =
                route.send(Exchanges.get("/a").with("Range", "bytes=2-4").with("If-Range", "\"2\""));
        Response several = route.send(Exchanges.get("/a").with("Range", "bytes=0-1,3-4"));

        assertThat(middle.status() + text(middle)).isEqualTo("206234");
        assertThat(middle.headers().first("Content-Range")).contains("bytes 2-4/10");
        assertThat(text(end)).isEqualTo("789");
        assertThat(beyond.status()).isEqualTo(416);
        assertThat(beyond.headers().first("Content-Range")).contains("bytes */10");
        assertThat(other.status()).isEqualTo(200);
        assertThat(several.status()).isEqualTo(200);
        assertThat(route.asked()).isEqualTo(1);
    }

    @Test
    void answers_that_vary_are_kept_apart() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60", "Vary", "Accept-Language");

        assertThat(text(route.send(Exchanges.get("/a").with("Accept-Language", "de"))))
                .isEqualTo("answer 1");
        assertThat(text(route.send(Exchanges.get("/a").with("Accept-Language", "tr"))))
                .isEqualTo("answer 2");
        assertThat(text(route.get("/a"))).isEqualTo("answer 3");
        assertThat(text(route.send(Exchanges.get("/a").with("Accept-Language", "de"))))
                .isEqualTo("answer 1");
    }

    @Test
    void head_is_answered_from_what_get_has_brought() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/a");

        assertThat(status(route.send(Exchanges.of("HEAD", "/a")))).startsWith("gateway; hit");
        assertThat(route.asked()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no-cache|30|2",
                "max-age=10|30|2",
                "min-fresh=40|30|2",
                "no-store|30|2",
                "max-age=30|30|1",
                "max-stale|90|1",
                "max-stale=30|80|1",
                "max-stale=10|80|2",
            })
    void what_the_client_says_is_heard(String said, int age, int asked) {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/a");
        route.passes(Duration.ofSeconds(age));

        route.send(Exchanges.get("/a").with("Cache-Control", said));

        assertThat(route.asked()).isEqualTo(asked);
    }

    @Test
    void what_the_client_says_is_not_heard_where_the_definition_says_so() {
        CachedRoute route = CachedRoute.with(", \"ignoreClient\": true").counts("Cache-Control", "max-age=60");
        route.get("/a");

        route.send(Exchanges.get("/a").with("Cache-Control", "no-cache"));

        assertThat(route.asked()).isEqualTo(1);
    }

    @Test
    void only_if_cached_never_asks_the_upstream() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");

        assertThat(route.send(Exchanges.get("/a").with("Cache-Control", "only-if-cached"))
                        .status())
                .isEqualTo(504);
        assertThat(route.asked()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "PURGE"})
    void a_change_has_what_was_kept_forgotten_for_everybody(String method) {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/a");
        route.send(Exchanges.get("/a").with("Authorization", "Basic YTpi"));

        route.send(Exchanges.of(method, "/a"));
        route.get("/a");
        route.send(Exchanges.get("/a").with("Authorization", "Basic YTpi"));

        assertThat(route.asked()).isEqualTo(5);
    }

    @Test
    void what_was_on_its_way_during_a_change_is_not_kept() {
        CachedRoute route = CachedRoute.with("");
        route.answers(_ -> {
            if (route.asked() == 1) route.send(Exchanges.of("PUT", "/a"));
            return answer(200, "as it was", "Cache-Control", "max-age=60");
        });
        route.get("/a");

        route.get("/a");
        route.get("/a");

        assertThat(route.asked()).isEqualTo(3);
    }

    @Test
    void a_change_that_fails_changes_nothing_and_one_that_succeeds_also_what_it_names() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/b");
        route.answers(_ -> answer(500, "no", "Location", "/b"));
        route.send(Exchanges.of("POST", "/b"));
        route.get("/b");
        assertThat(route.asked()).isEqualTo(2);

        route.answers(_ -> answer(201, "made", "Location", "http://api.example.com/b"));
        route.send(Exchanges.of("POST", "/a"));
        route.get("/b");

        assertThat(route.asked()).isEqualTo(4);
    }

    @Test
    void a_failing_upstream_is_stood_in_for_as_long_as_the_definition_says() {
        CachedRoute route = CachedRoute.with(", \"staleIfError\": \"10m\"").counts("Cache-Control", "max-age=60");
        route.get("/a");
        route.answers(_ -> answer(503, "away"));
        route.passes(Duration.ofSeconds(61));
        assertThat(text(route.get("/a"))).isEqualTo("answer 1");
        route.passes(Duration.ofMinutes(10));

        assertThat(route.get("/a").status()).isEqualTo(503);
    }

    @ParameterizedTest
    @ValueSource(strings = {"must-revalidate", "proxy-revalidate", "s-maxage=60", "no-cache"})
    void nothing_stands_in_where_the_answer_forbids_it(String directive) {
        CachedRoute route = CachedRoute.with(", \"staleIfError\": \"10m\"")
                .counts("Cache-Control", "max-age=60, " + directive, "ETag", "\"1\"");
        route.get("/a");
        route.answers(_ -> answer(503, "away"));
        route.passes(Duration.ofSeconds(61));

        assertThat(route.get("/a").status()).isEqualTo(503);
    }

    @Test
    void a_large_answer_passes_and_is_not_kept() {
        CachedRoute route = CachedRoute.with(", \"maxObject\": 9").counts("Cache-Control", "max-age=60");
        route.answers(_ -> answer(200, "1234567890", "Cache-Control", "max-age=60"));
        route.get("/a");

        assertThat(text(route.get("/a"))).isEqualTo("1234567890");
        assertThat(route.asked()).isEqualTo(2);
    }

    @Test
    void parameters_that_do_not_count_never_reach_the_upstream() {
        CachedRoute route =
                CachedRoute.with(", \"key\": {\"query\": [\"page\"]}").counts("Cache-Control", "max-age=60");
        route.get("/a?page=1&evil=1");

        assertThat(route.last().outgoing().query()).isEqualTo("page=1");
        assertThat(text(route.get("/a?utm=2&page=1"))).isEqualTo("answer 1");
        assertThat(text(route.get("/a?page=1;evil=1"))).isEqualTo("answer 2");
    }

    @Test
    void a_clock_that_is_set_back_makes_nothing_younger() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.get("/a");
        route.passes(Duration.ofHours(-1));

        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
    }

    @Test
    void a_request_with_content_is_not_answered_from_the_cache_nor_kept() {
        CachedRoute route = CachedRoute.with("").counts("Cache-Control", "max-age=60");
        route.send(Exchanges.get("/a").body("evil"));

        assertThat(text(route.get("/a"))).isEqualTo("answer 2");
        assertThat(text(route.send(Exchanges.get("/a").body("evil")))).isEqualTo("answer 3");
    }

    @Test
    void fields_that_cannot_be_are_refused() {
        assertThatThrownBy(
                        () -> CachedRoute.with(
                                ", \"for\": \"31d\", \"statuses\": [99], \"maxObject\": \"17MiB\", \"lockFor\": \"31s\", \"key\": {\"by\": \"x\", \"headers\": [\"X Y\"]}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/for")
                .hasMessageContaining("/policies/0/statuses/0")
                .hasMessageContaining("/policies/0/maxObject")
                .hasMessageContaining("/policies/0/lockFor")
                .hasMessageContaining("/policies/0/key/headers/0")
                .hasMessageContaining("/policies/0/key/by");
    }

    @Test
    void what_a_later_policy_puts_into_a_field_that_vary_names_keeps_the_answer_from_being_kept() {
        CachedRoute route = CachedRoute.with("");
        route.answers(each -> {
            each.headers().set("X-Tenant", "of the caller");
            return answer(200, "answer " + route.asked(), "Cache-Control", "max-age=60", "Vary", "X-Tenant");
        });
        route.get("/a");
        assertThat(text(route.get("/a"))).isEqualTo("answer 2");

        route.answers(_ -> answer(
                200, "answer " + route.asked(), "Cache-Control", "max-age=60", "Vary", "X-Tenant, Accept-Language"));
        route.get("/a");
        assertThat(text(route.get("/a"))).isEqualTo("answer 3");
    }

    @Test
    void a_location_is_forgotten_by_the_parameters_that_count() {
        CachedRoute route =
                CachedRoute.with(", \"key\": {\"query\": [\"page\"]}").counts("Cache-Control", "max-age=60");
        route.get("/a?page=1&x=2");
        route.answers(_ -> answer(201, "", "Location", "/a?x=9&page=1"));
        route.send(Exchanges.of("POST", "/b"));
        route.counts("Cache-Control", "max-age=60");

        assertThat(text(route.get("/a?page=1"))).isEqualTo("answer 3");
    }
}
