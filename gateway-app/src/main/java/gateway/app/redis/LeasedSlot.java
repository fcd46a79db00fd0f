package gateway.app.redis;

import gateway.service.SlotStore;

/// One slot that a request of this node holds by a lease in Redis.
final class LeasedSlot implements SlotStore.Slot {
    private final RedisSlots slots;
    private final String key;
    private final long number;
    private boolean seen; // of the thread that renews
    private volatile boolean given;

    /// @param key of the caller's slots
    /// @param number no other slot of this node has it
    LeasedSlot(RedisSlots slots, String key, long number) {
        this.slots = slots;
        this.key = key;
        this.number = number;
    }

    String key() {
        return key;
    }

    long number() {
        return number;
    }

    @Override
    public void give() {
        given = true;
        slots.forget(this);
    }

    boolean isGiven() {
        return given;
    }

    /// Whether a turn of renewals has met it before; from now on one has.
    boolean seenBefore() {
        boolean before = seen;
        seen = true;
        return before;
    }
}
