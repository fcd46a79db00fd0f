package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.key.PathGrant;
import gateway.key.Plans;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class GrantsTest {
    private static final ApiKey KEY = new ApiKey(
            "key_1",
            "alice",
            true,
            Optional.empty(),
            Map.of("orders", new ApiGrant(List.of(new PathGrant("/items", Set.of("GET"))), List.of("v2"))),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Map.of());

    @Test
    void of_all_that_the_key_does_not_open_the_widest_is_told() {
        assertThat(refusal(Exchanges.of("DELETE", "/bills")
                        .inApi("catalogue")
                        .inVersion("v1")
                        .make()))
                .contains("The API key does not open this API");
        assertThat(refusal(Exchanges.of("DELETE", "/bills").inVersion("v1").make()))
                .contains("The API key does not open this version of the API");
        assertThat(refusal(Exchanges.of("DELETE", "/bills").inVersion("v2").make()))
                .contains("The API key does not open this path with this method");
        assertThat(refusal(Exchanges.of("GET", "/items/7").inVersion("v2").make()))
                .isEmpty();
    }

    private static Optional<String> refusal(Exchange exchange) {
        return new Reading.Compiled(asked -> Grants.decide(asked, KEY, Plans.NONE))
                .stop(exchange)
                .map(Reading::detail);
    }
}
