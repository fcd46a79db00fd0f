package gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcceptedTypesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html                            | 1000",
                "Text/HTML                            | 1000",
                "text/*;q=0.5                         | 500",
                "*/*                                  | 1000",
                "*/*;q=0.1, text/html;q=0.7           | 700",
                "text/html;q=0, */*                   | 0",
                "text/*;q=0.3, */*;q=0.9              | 300",
                "text/html;level=1;q=0.4              | 400",
                "text/html;q=0.2, text/html;q=0.6     | 600",
                "application/json                     | 0",
                "text/htmlx, text/ht                  | 0",
                "text/html;q=2                        | 0",
                "text/html;q=x                        | 0",
                "text/html;q=0.12345                  | 0",
                "/, ;, =                              | 0"
            })
    void the_closest_range_tells_the_weight(String accept, int weight) {
        assertThat(AcceptedTypes.weight(List.of(accept), "text/html")).isEqualTo(weight);
    }

    @Test
    void who_says_too_much_about_it_takes_nothing() {
        assertThat(AcceptedTypes.weight(Collections.nCopies(50, "text/html, */*"), "text/html"))
                .isEqualTo(1000);
        assertThat(AcceptedTypes.weight(Collections.nCopies(100, "text/html, */*"), "text/html"))
                .isZero();
    }
}
