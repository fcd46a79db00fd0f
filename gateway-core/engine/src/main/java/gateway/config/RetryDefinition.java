package gateway.config;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// When a request that failed is sent again.
///
/// @param attempts in all, the first one included
/// @param on failures without an answer
/// @param statuses of answers that are thrown away for another attempt
/// @param methods that may be repeated, beside idempotent ones, once something of a request with an `Idempotency-Key`
/// was sent
/// @param perTryTimeout from the begin of an attempt to its response head; empty: only the upstream's timeouts hold
/// @param budgetPercent most extra requests, of all requests
/// @param backoff longest wait before the second attempt; doubles with each, and is drawn from 0 to that
/// @param maxBackoff over which it does not double
/// @param maxBody longest request body that is held so that it can be sent again
public record RetryDefinition(
        int attempts,
        Set<Failure> on,
        Set<Integer> statuses,
        Set<String> methods,
        Optional<Duration> perTryTimeout,
        int budgetPercent,
        Duration backoff,
        Duration maxBackoff,
        int maxBody) {
    public RetryDefinition {
        on = Set.copyOf(on);
        statuses = Set.copyOf(statuses);
        methods = Set.copyOf(methods);
    }

    public enum Failure {
        /// No connection: nothing was sent, so any method is repeated.
        UNREACHABLE,
        /// The connection broke before a response head.
        BROKEN,
        TIMEOUT
    }
}
