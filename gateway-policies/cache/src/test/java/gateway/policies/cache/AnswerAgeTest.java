package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Headers;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnswerAgeTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "30, 30",
        "-1, 2147483647",
        "1.5, 2147483647",
        "x, 2147483647",
        "'', 2147483647",
        "'0, 0', 2147483647",
        "99999999999, 2147483647"
    })
    void an_age_that_cannot_be_read_is_as_old_as_can_be(String told, long seconds) {
        Headers answer = Headers.create();
        answer.add("Age", told);

        assertThat(AnswerAge.of(answer, NOW, NOW).at(NOW)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void an_answer_is_as_old_as_the_older_of_its_age_and_its_date_says() {
        Headers answer = Headers.create();
        answer.add("Age", "10");
        answer.add("Date", FieldDate.write(NOW.minusSeconds(30)));
        assertThat(AnswerAge.of(answer, NOW, NOW).at(NOW)).isEqualTo(Duration.ofSeconds(30));

        answer.set("Age", "40");

        assertThat(AnswerAge.of(answer, NOW, NOW).at(NOW)).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void what_the_way_took_is_added_to_the_age_that_it_tells() {
        Headers answer = Headers.create();
        answer.add("Age", "10");

        AnswerAge age = AnswerAge.of(answer, NOW.minusSeconds(5), NOW);

        assertThat(age.at(NOW.plusSeconds(1))).isEqualTo(Duration.ofSeconds(16));
    }

    @Test
    void a_date_in_the_future_makes_nothing_younger() {
        Headers answer = Headers.create();
        answer.add("Date", FieldDate.write(NOW.plusSeconds(30)));

        assertThat(AnswerAge.of(answer, NOW, NOW).at(NOW)).isZero();
    }

    @Test
    void what_came_after_now_is_of_unknown_age() {
        assertThat(AnswerAge.of(Headers.create(), NOW, NOW).at(NOW.minusSeconds(1)))
                .isGreaterThan(Duration.ofDays(365));
    }
}
