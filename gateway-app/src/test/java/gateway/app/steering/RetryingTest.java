package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.RetryDefinition;
import gateway.http.Body;
import gateway.http.Headers;
import gateway.http.Outgoing;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RetryingTest {
    @ParameterizedTest
    @CsvSource({
        "GET, false, true",
        "PUT, false, true",
        "POST, true, true",
        "POST, false, false",
        "PATCH, true, false",
    })
    void methods_that_are_named_are_repeated_beside_idempotent_ones(String method, boolean named, boolean repeated) {
        var headers = Headers.create();
        if (named) headers.set("Idempotency-Key", "1");

        assertThat(retrying(Set.of("POST")).isSafe(Outgoing.of(method, "/", headers, Body.EMPTY)))
                .isEqualTo(repeated);
    }

    private static Retrying retrying(Set<String> methods) {
        var second = Duration.ofSeconds(1);
        var how = new RetryDefinition(2, Set.of(), Set.of(502), methods, Optional.empty(), 20, second, second, 0);
        return new Retrying(how, new RetryBudget(20, () -> 0), new Dice(1));
    }
}
