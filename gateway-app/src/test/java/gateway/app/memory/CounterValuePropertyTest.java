package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.FakeLimitStore;
import gateway.service.ManualClock;
import gateway.service.Permit;
import gateway.service.Rule;
import gateway.service.Rule.CalendarUnit;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;

/// The counters against a plain model of every rule, over random rules, pauses and pairs of charges.
final class CounterValuePropertyTest {
    private record Move(int pauseMillis, boolean first, boolean second, boolean peek) {}

    @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
    void decides_as_the_plain_model(
            @ForAll("rules") Rule one, @ForAll("rules") Rule other, @ForAll("moves") @Size(max = 80) List<Move> moves) {
        var clock = ManualClock.at("2026-10-24T21:59:50.123Z");
        var model = new FakeLimitStore(clock);
        var store = new MemoryLimitStore(clock::nanos, new CounterTable(10));
        var first = new Charge("one", "key_1", one, Counting.EXACT, false);
        var second = new Charge("other", "key_1", other, Counting.EXACT, true);

        for (Move move : moves) {
            clock.advance(Duration.ofMillis(move.pauseMillis));
            var charges = move.first ? (move.second ? List.of(first, second) : List.of(first)) : List.of(second);

            if (move.peek) {
                assertThat(remaining(store.peek(charges))).isEqualTo(remaining(model.peek(charges)));
            } else {
                assertThat(store.acquire(charges)).isEqualTo(model.acquire(charges));
            }
        }
    }

    /// However requests come, at most the burst passes and what the rate adds since.
    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void never_admits_more_than_the_rule_allows(
            @ForAll("buckets") Rule.TokenBucket rule, @ForAll("moves") @Size(max = 200) List<Move> moves) {
        var clock = ManualClock.create();
        var store = new MemoryLimitStore(clock::nanos, new CounterTable(10));
        var charge = new Charge("one", "key_1", rule, Counting.EXACT, false);
        long begin = clock.nanos();

        long granted = 0;
        for (Move move : moves) {
            clock.advance(Duration.ofMillis(move.pauseMillis));
            if (store.acquire(List.of(charge)).getFirst() instanceof Permit.Granted) granted++;
        }

        double earned = (double) (clock.nanos() - begin) / rule.perNanos() * rule.requests();
        assertThat((double) granted).isLessThanOrEqualTo(rule.burst() + earned);
    }

    @Provide
    Arbitrary<Rule.TokenBucket> buckets() {
        return Combinators.combine(requests(), periods(), requests())
                .as((requests, per, burst) -> new Rule.TokenBucket(requests, per, burst));
    }

    @Provide
    Arbitrary<Rule> rules() {
        return Arbitraries.oneOf(
                buckets().map(Rule.class::cast),
                Combinators.combine(requests(), periods()).as((requests, per) -> new Rule.SlidingWindow(requests, per)),
                Combinators.combine(requests(), periods()).as((requests, per) -> new Rule.FixedWindow(requests, per)),
                Combinators.combine(requests(), periods()).as((requests, per) -> new Rule.RollingPeriod(requests, per)),
                Combinators.combine(requests(), Arbitraries.of(CalendarUnit.class), zones())
                        .as((requests, unit, zone) -> new Rule.CalendarPeriod(requests, unit, zone)));
    }

    @Provide
    Arbitrary<List<Move>> moves() {
        var pauses = Arbitraries.frequencyOf(
                Tuple.of(5, Arbitraries.just(0)),
                Tuple.of(5, Arbitraries.integers().between(1, 2_000)),
                Tuple.of(1, Arbitraries.integers().between(1, 100_000_000)));
        var yes = Arbitraries.of(true, false);
        return Combinators.combine(pauses, yes, yes, yes).as(Move::new).list();
    }

    private static Arbitrary<Long> requests() {
        return Arbitraries.longs().between(1, 12);
    }

    private static Arbitrary<Long> periods() {
        return Arbitraries.of(100L, 1_000L, 7_777L, 60_000L, 86_400_000L).map(millis -> millis * 1_000_000);
    }

    private static Arbitrary<ZoneId> zones() {
        return Arbitraries.of("UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns")
                .map(ZoneId::of);
    }

    private static List<Long> remaining(List<Permit> permits) {
        return permits.stream().map(Permit::remaining).toList();
    }
}
