package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.policies.cache.Flights.Flight;
import gateway.policy.FakeServices;
import gateway.policy.PolicyPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;

final class FlightsTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final CacheKey KEY = new CacheKey("target", "part");
    private static final PolicyPlace PLACE = new PolicyPlace("orders", "cache");

    private final Flights flights = new Flights();

    @Test
    void one_is_on_its_way_for_each_key_until_it_has_landed() {
        var first = new Flight(KEY);
        var second = new Flight(KEY);

        assertThat(flights.join(first)).isSameAs(first);
        assertThat(flights.join(second)).isSameAs(first);
        flights.land(first);

        assertThat(first.hasLanded()).isTrue();
        assertThat(flights.join(second)).isSameAs(second);
    }

    @Test
    void nobody_waits_for_one_that_has_been_under_way_for_longer() {
        var flight = new Flight(KEY);
        Duration patience = Duration.ofMillis(200);
        flight.await(patience);

        assertTimeout(Duration.ofMillis(100), () -> flight.await(patience));
    }

    @Test
    void a_fault_before_the_upstream_is_asked_leaves_nobody_waiting() {
        var spec = new ResponseCache(
                new KeyParts(CountedParameters.ALL, List.of(), NamedCookies.NONE, KeyParts.By.API, JsonPointer.empty()),
                new PostKey(List.of()),
                true,
                _ -> false,
                new KeepRules(Duration.ZERO, true, Set.of(200), 1000, "Cache-Tag"),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofSeconds(30),
                false,
                false,
                ResponseCache.SharedWith.NODE);
        var kept = new KeptAnswers(
                LocalAnswers.ofMost(1000, new FakeServices()),
                flights,
                CopyRoom.ofHeap(),
                new CacheCounts("orders"),
                new RepeatedTexts(),
                Optional.empty());
        Iterator<Instant> times = List.of(NOW).iterator(); // and an error when it is asked again
        Exchange exchange = Exchanges.get("/a").make();

        assertThatThrownBy(() -> new CachingPolicy(spec, PLACE, "space", kept, times::next).apply(exchange))
                .isInstanceOf(RuntimeException.class);

        CacheKey key = CacheRequest.of(
                        exchange, SeenFields.of(exchange.headers()), spec, "space", "", CacheControl.NONE, "", NOW)
                .own();
        var next = new Flight(key);
        assertThat(flights.join(next)).isSameAs(next);
    }
}
