package gateway.service;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.SlotStore.Slot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What every [SlotStore] does.
public interface SlotStoreContract {
    SlotStore store();

    @Test
    default void there_are_as_many_as_said_and_one_more_for_each_that_is_given_back() {
        String caller = caller();
        List<Slot> held = new ArrayList<>();
        for (int i = 0; i < 3; i++)
            held.add(store().take("orders/limit", caller, 3).orElseThrow());

        assertThat(store().take("orders/limit", caller, 3)).isEmpty();
        held.removeFirst().give();
        held.add(taken("orders/limit", caller, 3));
        assertThat(store().take("orders/limit", caller, 3)).isEmpty();

        for (Slot each : held) each.give();
    }

    @Test
    default void callers_and_counters_are_apart() {
        String caller = caller();
        Slot first = store().take("orders/limit", caller, 1).orElseThrow();

        assertThat(store().take("orders/limit", caller + "x", 1)).isPresent();
        assertThat(store().take("orders/limit-2", caller, 1)).isPresent();
        assertThat(store().take("orders/limi", "t" + caller, 1)).isPresent();
        assertThat(store().take("orders/limit", caller, 1)).isEmpty();

        first.give();
    }

    @Test
    default void those_that_are_taken_count_when_there_are_fewer_or_more() {
        String caller = caller();
        Slot first = store().take("orders/limit", caller, 2).orElseThrow();
        Slot second = store().take("orders/limit", caller, 2).orElseThrow();

        assertThat(store().take("orders/limit", caller, 1)).isEmpty();
        Slot third = store().take("orders/limit", caller, 3).orElseThrow();
        first.give();
        second.give();
        assertThat(store().take("orders/limit", caller, 1)).isEmpty();
        third.give();

        taken("orders/limit", caller, 1).give();
    }

    @Test
    default void a_name_may_hold_what_means_something_elsewhere() {
        String caller = "ip:{" + caller() + "}%*";

        Slot only = store().take("set:gold/{limit}", caller, 1).orElseThrow();

        assertThat(store().take("set:gold/{limit}", caller, 1)).isEmpty();
        only.give();
        taken("set:gold/{limit}", caller, 1).give();
    }

    @Test
    default void many_at_once_never_have_more_than_there_are() throws Exception {
        String caller = caller();
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        Callable<Integer> call = () -> {
            int had = 0;
            for (int i = 0; i < 100; i++) {
                Optional<Slot> slot = store().take("orders/limit", caller, 3);
                if (slot.isEmpty()) continue;
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                had++;
                now.decrementAndGet();
                slot.get().give();
            }
            return had;
        };
        int had = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> each : threads.invokeAll(Collections.nCopies(8, call))) had += each.get();
        }

        assertThat(most.get()).isBetween(1, 3);
        assertThat(had).isPositive();
        taken("orders/limit", caller, 1).give();
    }

    /// A slot given back is on its way for a moment.
    private Slot taken(String counter, String caller, int most) {
        var found = new ArrayList<Slot>(1);
        until(() -> {
            store().take(counter, caller, most).ifPresent(found::add);
            return !found.isEmpty();
        });
        return found.getFirst();
    }

    private static String caller() {
        return "key_" + UUID.randomUUID();
    }
}
