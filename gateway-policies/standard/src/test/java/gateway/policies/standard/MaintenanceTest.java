package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.policies.standard.Reading.Compiled;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MaintenanceTest {
    private final Reading reading = new Reading(new Maintenance.Type());

    @Test
    void answers_503_while_it_lasts_and_says_when_it_ends() {
        var begins = reading.services().clock().instant().plus(Duration.ofMinutes(1));
        Compiled policy = reading.policy("{'from': '%s', 'until': '%s'}".formatted(begins, begins.plusSeconds(90)));

        assertThat(stop(policy)).isEmpty();
        reading.services().clock().advance(Duration.ofSeconds(60));
        Response first = stop(policy).orElseThrow();
        assertThat(first.status()).isEqualTo(503);
        assertThat(first.reason()).isEqualTo("maintenance");
        assertThat(first.headers().first("Retry-After")).contains("90");
        reading.services().clock().advance(Duration.ofMillis(89_500));
        assertThat(stop(policy).orElseThrow().headers().first("Retry-After")).contains("1");
        reading.services().clock().advance(Duration.ofMillis(500));
        assertThat(stop(policy)).isEmpty();
    }

    @Test
    void without_an_end_it_lasts_and_says_when_to_come_again() {
        assertThat(stop(reading.policy("{}")).orElseThrow().headers().first("Retry-After"))
                .contains("600");
        assertThat(stop(reading.policy("{'retryAfter': '5s'}"))
                        .orElseThrow()
                        .headers()
                        .first("Retry-After"))
                .contains("5");
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{'from': '2026-01-02T00:00:00Z', 'until': '2026-01-01T00:00:00Z',"
                        + " 'retryAfter': '0s', 'body': 5}"))
                .contains("/until: expected a time after \"from\", got \"2026-01-01T00:00:00Z\"")
                .hasSizeGreaterThanOrEqualTo(3);
    }

    private static Optional<Response> stop(Compiled policy) {
        return policy.stop(Exchanges.get("/").make());
    }
}
