package gateway.service;

/// One request's claim on one counter.
///
/// @param counter names what is counted, such as `rate:orders/rate-limit:key_01J…`; the counter outlives
/// reloads and changes of the rule's numbers
/// @param subject whose counter it is, such as `key_01J…`; counters of one subject are stored together (Redis hash tag)
/// @param durable whether the count survives a crash (quotas do, rate limits need not)
public record Charge(String counter, String subject, Rule rule, Counting counting, boolean durable) {}
