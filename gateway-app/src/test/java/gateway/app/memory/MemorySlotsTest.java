package gateway.app.memory;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.service.SlotStore;
import gateway.service.SlotStoreContract;
import org.junit.jupiter.api.Test;

final class MemorySlotsTest implements SlotStoreContract {
    private final MemorySlots store = new MemorySlots();

    @Override
    public SlotStore store() {
        return store;
    }

    @Test
    void a_caller_without_slots_takes_no_room() {
        SlotStore.Slot first = store.take("orders/limit", "key_1", 2).orElseThrow();
        SlotStore.Slot second = store.take("orders/limit", "key_1", 2).orElseThrow();
        assertThat(store.size()).isOne();

        first.give();
        second.give();

        assertThat(store.size()).isZero();
    }
}
