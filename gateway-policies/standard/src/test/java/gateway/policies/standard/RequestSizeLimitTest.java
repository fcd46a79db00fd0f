package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestSizeLimitTest {
    private final Reading reading = new Reading(new RequestSizeLimit.Type());

    @Test
    void refuses_a_declared_length_over_the_limit_at_once() {
        Response stop = reading.policy("{'max': 4}")
                .stop(Exchanges.of("POST", "/").body("12345").make())
                .orElseThrow();

        assertThat(stop.status()).isEqualTo(413);
        assertThat(Reading.problem(stop)).isEqualTo("body-too-large");
        assertThat(Reading.detail(stop)).isEqualTo("The body is larger than 4 bytes");
    }

    @Test
    void lets_a_body_pass_that_just_fits() {
        var exchange = Exchanges.of("POST", "/").body("1234").make();

        assertThat(reading.policy("{'max': 4}").stop(exchange)).isEmpty();
        assertThat(exchange.bodyLimit()).isEqualTo(4);
    }

    @Test
    void bounds_a_body_of_unknown_length_while_it_streams() {
        var exchange = Exchanges.of("POST", "/").chunked("123456789").make();

        assertThat(reading.policy("{'max': '1KiB'}").stop(exchange)).isEmpty();
        assertThat(exchange.bodyLimit()).isEqualTo(1024);
    }

    @Test
    void lets_the_smallest_limit_hold() {
        var exchange = Exchanges.of("POST", "/").chunked("123456789").make();

        reading.policy("{'max': 8}").stop(exchange);
        reading.policy("{'max': 9}").stop(exchange);

        assertThat(exchange.bodyLimit()).isEqualTo(8);
    }

    @Test
    void refuses_a_body_that_is_too_small_or_missing_where_one_belongs() {
        var policy = reading.policy("{'max': 9, 'min': 4}");

        assertThat(policy.stop(Exchanges.of("POST", "/").body("1234").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/").make())).isEmpty();
        for (Exchanges each : List.of(
                Exchanges.of("POST", "/").body("123"),
                Exchanges.of("PUT", "/"),
                Exchanges.of("GET", "/").body("1"))) {
            Response stop = policy.stop(each.make()).orElseThrow();
            assertThat(stop.status()).isEqualTo(400);
            assertThat(Reading.problem(stop)).isEqualTo("body-too-small");
        }
    }

    @Test
    void asks_for_a_length_where_a_body_may_be_too_small() {
        Response stop = reading.policy("{'max': 9, 'min': 4}")
                .stop(Exchanges.of("POST", "/").chunked("12345").make())
                .orElseThrow();

        assertThat(stop.status()).isEqualTo(411);
        assertThat(Reading.problem(stop)).isEqualTo("length-required");
    }

    @Test
    void bounds_header_fields_and_query() {
        var policy = reading.policy("{'max': 9, 'headers': 10, 'query': 5}");

        assertThat(policy.stop(Exchanges.get("/?a=123").with("X-A", "1234567").make()))
                .isEmpty();
        Response fields =
                policy.stop(Exchanges.get("/").with("X-A", "12345678").make()).orElseThrow();
        Response query = policy.stop(Exchanges.get("/?a=1234").make()).orElseThrow();
        assertThat(fields.status()).isEqualTo(431);
        assertThat(Reading.problem(fields)).isEqualTo("headers-too-large");
        assertThat(query.status()).isEqualTo(414);
        assertThat(Reading.problem(query)).isEqualTo("query-too-long");
    }

    @Test
    void refuses_sizes_that_are_none() {
        assertThat(reading.problems("{'max': 4, 'min': 5}"))
                .containsExactly("/min: expected no more than \"max\", 4, got 5");
        assertThat(reading.problems("{'max': 'big'}"))
                .containsExactly("/max: expected a size such as \"64KiB\", got \"big\"");
        assertThat(reading.problems("{'max': -1}"))
                .containsExactly("/max: expected a size from 0 to 1099511627776 bytes, got -1");
        assertThat(reading.problems("{}")).containsExactly("/max: expected a size such as \"64KiB\", got nothing");
    }
}
