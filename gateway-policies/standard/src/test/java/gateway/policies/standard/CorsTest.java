package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CorsTest {
    private static final String APP = "https://app.example.com";
    private static final String SHOP = "{'allowedOrigins': ['https://app.example.com', 'https://*.example.org'],"
            + "'allowedMethods': ['GET', 'PUT'], 'allowedHeaders': ['Authorization', 'X-A'],"
            + "'exposedHeaders': ['X-Request-Id', 'X-B'], 'allowCredentials': true, 'maxAge': '10m'}";

    private final Reading reading = new Reading(new Cors.Type());

    @Test
    void answers_a_preflight() {
        Response response = preflight(SHOP, APP, "PUT", "x-a, authorization");

        assertThat(response.status()).isEqualTo(204);
        assertThat(response.headers())
                .hasToString("[Vary, Origin, Access-Control-Allow-Origin, https://app.example.com, "
                        + "Access-Control-Allow-Credentials, true, "
                        + "Vary, Access-Control-Request-Method, Access-Control-Request-Headers, "
                        + "Access-Control-Allow-Methods, GET, PUT, "
                        + "Access-Control-Allow-Headers, x-a, authorization, Access-Control-Max-Age, 600]");
    }

    @Test
    void refuses_a_preflight_of_another_origin_method_or_header() {
        assertThat(Reading.detail(preflight(SHOP, "https://evil.example", "PUT", "")))
                .isEqualTo("Your origin is not allowed here");
        assertThat(Reading.detail(preflight(SHOP, APP, "DELETE", "")))
                .isEqualTo("Your origin may not use this method here");
        assertThat(Reading.detail(preflight(SHOP, APP, "PUT", "X-A,X-C")))
                .isEqualTo("Your origin may not send these headers here");
        assertThat(preflight(SHOP, "null", "PUT", "").status()).isEqualTo(403);
    }

    @Test
    void allows_methods_that_need_no_preflight() {
        assertThat(preflight(SHOP, APP, "POST", "").status()).isEqualTo(204);
    }

    @Test
    void allows_subdomains_but_nothing_that_only_looks_like_one() {
        assertThat(preflight(SHOP, "https://a.b.example.org", "GET", "").status())
                .isEqualTo(204);
        for (String origin : List.of(
                "https://example.org",
                "https://.example.org",
                "http://a.example.org",
                "https://a.example.org:8443",
                "https://evilexample.org",
                "https://evil.com/.example.org",
                "https://evil.com:443.example.org",
                "https://a.example.org.evil.com",
                "HTTPS://a.example.org")) {
            assertThat(preflight(SHOP, origin, "GET", "").status()).as(origin).isEqualTo(403);
        }
    }

    @Test
    void allows_everything_that_stars_stand_for() {
        String open = "{'allowedOrigins': ['*'], 'allowedMethods': ['*'], 'allowedHeaders': ['*']}";

        Response response = preflight(open, "null", "PURGE", "X-Any");

        assertThat(response.headers())
                .hasToString("[Access-Control-Allow-Origin, *, "
                        + "Vary, Access-Control-Request-Method, Access-Control-Request-Headers, "
                        + "Access-Control-Allow-Methods, PURGE, Access-Control-Allow-Headers, X-Any]");
    }

    @Test
    void passes_preflights_on_without_credential_when_told_to() {
        var policy = reading.policy("{'allowedOrigins': ['https://app.example.com'], 'optionsPassthrough': true}");
        var exchange = preflight(APP, "PUT", "");
        Response upstream = Response.of(204).with("Access-Control-Allow-Origin", "https://upstream.example");

        Response response = policy.comingBack(exchange, upstream);

        assertThat(exchange.authenticationWaived()).isTrue();
        assertThat(response.headers()).hasToString("[Access-Control-Allow-Origin, https://upstream.example]");
    }

    @Test
    void waives_nothing_for_other_requests() {
        var policy = reading.policy("{'allowedOrigins': ['*'], 'optionsPassthrough': true}");
        var plain = Exchanges.of("OPTIONS", "/").with("Origin", APP).make();
        var post = Exchanges.of("POST", "/")
                .with("Origin", APP)
                .with("Access-Control-Request-Method", "POST")
                .make();

        policy.stop(plain);
        policy.stop(post);

        assertThat(plain.authenticationWaived()).isFalse();
        assertThat(post.authenticationWaived()).isFalse();
    }

    @Test
    void marks_the_response_in_place_of_the_upstream() {
        Response upstream = Response.of(200)
                .with("Access-Control-Allow-Origin", "*")
                .with("Access-Control-Expose-Headers", "X-C")
                .with("Vary", "Accept");

        Response response = reading.policy(SHOP)
                .comingBack(Exchanges.get("/").with("Origin", APP).make(), upstream);

        assertThat(response.headers())
                .hasToString("[Vary, Accept, Vary, Origin, Access-Control-Allow-Origin, https://app.example.com, "
                        + "Access-Control-Allow-Credentials, true, Access-Control-Expose-Headers, X-Request-Id, X-B]");
    }

    @Test
    void tells_another_origin_nothing_but_lets_the_request_pass() {
        var exchange = Exchanges.get("/").with("Origin", "https://evil.example").make();
        Response upstream = Response.of(200).with("Access-Control-Allow-Origin", "*");

        Response response = reading.policy(SHOP).comingBack(exchange, upstream);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.headers()).hasToString("[Vary, Origin]");
    }

    @Test
    void tells_caches_that_answers_differ_by_origin_also_without_one() {
        assertThat(reading.policy(SHOP)
                        .comingBack(Exchanges.get("/").make(), Response.of(200))
                        .headers())
                .hasToString("[Vary, Origin]");
        assertThat(reading.policy(SHOP)
                        .comingBack(Exchanges.get("/").make(), Response.of(200).with("Vary", "origin"))
                        .headers())
                .hasToString("[Vary, origin]");
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{'allowedOrigins': ['*', 'https://a.example/', 'null', 'HTTPS://A'],"
                        + "'allowedMethods': ['put'], 'allowedHeaders': ['X A'], 'exposedHeaders': [1],"
                        + "'allowCredentials': true, 'maxAge': '2d', 'optionsPassthrough': 'x'}"))
                .extracting(problem -> problem.substring(0, problem.indexOf(':')))
                .containsExactlyInAnyOrder(
                        "/allowedOrigins/1",
                        "/allowedOrigins/2",
                        "/allowedOrigins/3",
                        "/allowedMethods/0",
                        "/allowCredentials",
                        "/maxAge",
                        "/allowedHeaders/0",
                        "/exposedHeaders/0",
                        "/optionsPassthrough");
        assertThat(reading.problems("{}"))
                .containsExactly(
                        "/allowedOrigins: expected at least one origin such as \"https://app.example.com\", got none");
    }

    private Response preflight(String json, String origin, String method, String headers) {
        return reading.policy(json).stop(preflight(origin, method, headers)).orElseThrow();
    }

    private static Exchange preflight(String origin, String method, String headers) {
        var exchange =
                Exchanges.of("OPTIONS", "/").with("Origin", origin).with("Access-Control-Request-Method", method);
        if (!headers.isEmpty()) exchange.with("Access-Control-Request-Headers", headers);
        return exchange.make();
    }
}
