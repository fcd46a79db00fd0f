package gateway.service;

/// One request's claim on one counter.
///
/// @param counter names what is counted, such as `rate:orders/rate-limit:key_01J…`; the counter outlives
/// reloads and changes of the rule's numbers
/// @param subject whose counter it is, such as `key_01J…`; counters of one subject are stored together (Redis hash tag)
/// @param durable whether the count survives a crash (quotas do, rate limits need not)
/// @param amount how many of the rule's requests it counts as, spent all or none; from 1 to [#MOST_AMOUNT]
public record Charge(String counter, String subject, Rule rule, Counting counting, boolean durable, long amount) {
    /// A counter of any store keeps twice as much without loss.
    public static final long MOST_AMOUNT = 1_000_000_000_000L;

    public Charge {
        if (amount < 1 || amount > MOST_AMOUNT)
            throw new IllegalArgumentException("expected 1 to " + MOST_AMOUNT + ", got " + amount);
    }

    /// One that counts as one.
    public Charge(String counter, String subject, Rule rule, Counting counting, boolean durable) {
        this(counter, subject, rule, counting, durable, 1);
    }

    /// The same claim on another amount.
    public Charge of(long otherAmount) {
        return new Charge(counter, subject, rule, counting, durable, otherAmount);
    }
}
