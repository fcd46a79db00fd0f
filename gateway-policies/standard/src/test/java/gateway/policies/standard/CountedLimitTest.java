package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Allowance;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.key.ApiKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CountedLimitTest {
    private static final int MORE_THAN_ARE_KEPT = 1_200;

    private final Reading reading = new Reading(new RateLimit.Type());

    @Test
    void callers_have_their_own_numbers_however_many_there_are() {
        var policy = reading.policy("{'requests': 2, 'per': '1s'}");

        for (int round = 1; round <= 2; round++) {
            for (int requests = 2; requests <= MORE_THAN_ARE_KEPT; requests++) {
                var exchange = Exchanges.get("/").calledBy(caller(requests)).make();

                Response response = policy.comingBack(exchange, Response.of(200));

                assertThat(response.headers().first("X-RateLimit-Limit")).contains("" + requests);
                assertThat(response.headers().first("X-RateLimit-Remaining")).contains("" + (requests - round));
            }
        }
    }

    private static ApiKey caller(int requests) {
        return new ApiKey(
                "key_" + requests,
                "caller",
                true,
                Optional.empty(),
                Map.of(),
                Optional.of(new Allowance(requests, Duration.ofMinutes(1))),
                Optional.empty(),
                List.of(),
                Map.of());
    }
}
