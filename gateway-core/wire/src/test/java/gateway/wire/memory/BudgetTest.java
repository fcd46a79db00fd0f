package gateway.wire.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class BudgetTest {
    @Test
    void what_does_not_fit_is_refused_and_counted_and_takes_nothing() {
        var budget = new Budget(100);

        assertThat(budget.take(60)).isTrue();
        assertThat(budget.take(41)).isFalse();

        assertThat(budget.taken()).isEqualTo(60);
        assertThat(budget.refused()).isOne();
    }

    @Test
    void pressure_follows_what_is_taken_both_ways() {
        var changes = new AtomicInteger();
        var budget = new Budget(160, changes::incrementAndGet);

        budget.take(119);
        assertThat(budget.pressure()).isEqualTo(Pressure.NONE);
        budget.take(1);
        assertThat(budget.pressure()).isEqualTo(Pressure.TIGHT);
        budget.take(30);
        assertThat(budget.pressure()).isEqualTo(Pressure.SPENT);
        budget.giveBack(31);

        assertThat(budget.pressure()).isEqualTo(Pressure.NONE);
        assertThat(changes).hasValue(3);
    }

    @Test
    void what_is_crowded_stays_so_until_half_is_left() {
        var budget = new Budget(160);

        budget.take(99);
        assertThat(budget.isCrowded()).isFalse();
        budget.take(1);
        assertThat(budget.isCrowded()).isTrue();
        assertThat(budget.excess()).isEqualTo(21);
        budget.giveBack(20);
        assertThat(budget.isCrowded()).isTrue();
        budget.giveBack(1);

        assertThat(budget.isCrowded()).isFalse();
        assertThat(budget.excess()).isZero();
    }

    @Test
    void no_pressure_stays_when_threads_that_pressed_at_once_have_given_back() throws InterruptedException {
        var memory = new MemoryBudget(1 << 20, 1 << 20);
        Budget heads = memory.of(Kind.HEADS);
        long part = heads.most() / 3;

        for (int round = 0; round < 200; round++) {
            Runnable press = () -> {
                for (int i = 0; i < 50; i++) if (heads.take(part)) heads.giveBack(part);
            };
            var threads = new Thread[] {new Thread(press), new Thread(press), new Thread(press), new Thread(press)};
            for (Thread each : threads) each.start();
            for (Thread each : threads) each.join();

            assertThat(heads.taken()).isZero();
            assertThat(heads.pressure()).isEqualTo(Pressure.NONE);
            assertThat(memory.pressure()).isEqualTo(Pressure.NONE);
        }
    }

    @Test
    void the_fullest_budget_makes_the_pressure() {
        var memory = new MemoryBudget(1 << 20, 1 << 20);
        Budget heads = memory.of(Kind.HEADS);

        heads.take(heads.most());
        assertThat(memory.pressure()).isEqualTo(Pressure.SPENT);
        heads.giveBack(heads.most());

        assertThat(memory.pressure()).isEqualTo(Pressure.NONE);
    }

    @Test
    void newcomers_are_turned_away_for_what_they_take_and_not_for_bodies() {
        var memory = new MemoryBudget(1 << 20, 1 << 20);
        for (Kind kind : List.of(Kind.HEADS, Kind.CONNECTIONS, Kind.FRAMES, Kind.BUFFERS)) {
            Budget budget = memory.of(kind);
            long most = budget.most();
            budget.takeAnyway(most);
            assertThat(memory.turnsNewcomersAway()).as("%s", kind).isTrue();
            budget.giveBack(most);
            assertThat(memory.turnsNewcomersAway()).as("%s", kind).isFalse();
        }
        memory.of(Kind.BODIES).takeAnyway(memory.of(Kind.BODIES).most());

        assertThat(memory.pressure()).isEqualTo(Pressure.SPENT);
        assertThat(memory.turnsNewcomersAway()).isFalse();
    }

    @Test
    void what_makes_room_for_itself_makes_no_pressure() {
        var memory = new MemoryBudget(1 << 20, 1 << 20);
        Budget counters = memory.of(Kind.COUNTERS);

        counters.take(counters.most());

        assertThat(counters.pressure()).isEqualTo(Pressure.SPENT);
        assertThat(memory.pressure()).isEqualTo(Pressure.NONE);
    }

    @Test
    void what_is_counted_elsewhere_is_told_here() {
        var budget = new Budget(100);
        budget.take(10);

        budget.countedBy(() -> 30);

        assertThat(budget.taken()).isEqualTo(40);
    }

    @Test
    void all_kinds_together_leave_a_quarter_of_the_heap_and_some_of_direct_memory() {
        long heap = 1L << 30;
        long direct = 1L << 28;
        long promised = Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.BUFFERS && kind != Kind.ENGINES)
                .mapToLong(kind -> kind.most(heap, direct))
                .sum();

        assertThat(promised).isLessThanOrEqualTo(heap - heap / 4);
        assertThat(Kind.BUFFERS.most(heap, direct)).isLessThan(direct);
    }

    @Test
    void connections_follow_from_the_lesser_of_heap_and_direct_memory() {
        long bytesEach = 3 * 1024;
        long heap = 64 << 20;
        long direct = 8 << 20;

        long ofHeap = Pressure.tightAt(Kind.CONNECTIONS.most(heap, 1 << 30)) / bytesEach;
        long ofDirect = Pressure.tightAt(Kind.CONNECTIONS.most(1 << 30, direct)) / bytesEach;

        assertThat(ofHeap).isEqualTo(heap / (64 * 1024));
        assertThat(ofDirect).isEqualTo(direct / (16 * 1024));
        assertThat(Kind.CONNECTIONS.most(heap, direct)).isEqualTo(Kind.CONNECTIONS.most(1 << 30, direct));
    }

    @Test
    void the_bound_of_this_process_is_that_of_its_jvm() {
        assertThat(MemoryBudget.ofThisProcess().of(Kind.HEADS).most())
                .isEqualTo(Runtime.getRuntime().maxMemory() / 8);
        assertThat(DirectMemory.most()).isPositive();
    }

    @Test
    void a_purse_takes_the_last_byte_that_there_is() {
        var budget = new Budget(10);
        var purse = new Purse(budget);

        assertThat(purse.take(10)).isTrue();
        assertThat(budget.refused()).isZero();
        assertThat(purse.take(1)).isFalse();
        assertThat(budget.refused()).isOne();
        purse.giveBack(10);

        assertThat(purse.take(10)).isTrue();
    }

    @Property
    void purses_never_hold_more_than_the_budget_and_keep_little(
            @ForAll @Size(max = 200) int[] amounts, @ForAll @IntRange(min = 1, max = 1 << 20) int most) {
        var budget = new Budget(most);
        var purse = new Purse(budget);
        var held = new ArrayDeque<Integer>();
        long sum = 0;

        for (int each : amounts) {
            int amount = Math.floorMod(each, 100_000);
            if (each % 3 == 0 && !held.isEmpty()) {
                sum -= held.peek();
                purse.giveBack(held.remove());
            } else if (purse.take(amount)) {
                held.add(amount);
                sum += amount;
            }
            assertThat(sum).isLessThanOrEqualTo(budget.taken());
            assertThat(budget.taken()).isLessThanOrEqualTo(Math.min(most, sum + 2 * Purse.SLICE));
        }
    }

    @Test
    void a_holding_follows_what_is_needed_and_is_released_once() {
        var budget = new Budget(100);
        var purse = new Purse(budget);
        var holding = new Holding(purse);

        assertThat(holding.hold(80)).isTrue();
        assertThat(holding.hold(120)).isFalse();
        assertThat(holding.bytes()).isEqualTo(80);
        assertThat(holding.hold(30)).isTrue();
        holding.release();
        holding.release();

        assertThat(holding.bytes()).isZero();
        assertThat(purse.take(100)).isTrue();
    }
}
