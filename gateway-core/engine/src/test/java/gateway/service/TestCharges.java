package gateway.service;

import java.util.UUID;

/// Charges of counters that no other test has, and times in nanoseconds.
final class TestCharges {
    private TestCharges() {}

    static Charge rate(String what, Rule rule) {
        return named(what + ":" + UUID.randomUUID(), rule);
    }

    static Charge quota(String what, Rule rule) {
        return new Charge("quota:" + what + ":" + UUID.randomUUID(), "key_1", rule, Counting.EXACT, true);
    }

    static Charge named(String name, Rule rule) {
        return new Charge("rate:" + name, "key_1", rule, Counting.EXACT, false);
    }

    static long millis(long count) {
        return count * 1_000_000;
    }

    static long seconds(long count) {
        return count * 1_000_000_000;
    }

    static long hours(long count) {
        return count * 3_600_000_000_000L;
    }
}
