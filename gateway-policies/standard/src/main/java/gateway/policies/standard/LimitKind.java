package gateway.policies.standard;

import gateway.http.Allowance;
import gateway.http.Consumer;
import gateway.service.Rule;
import java.util.Optional;

/// What `rate-limit` and `quota` do not share.
enum LimitKind {
    RATE("rate", "rate-limited", "Rate limit exceeded", false) {
        @Override
        Optional<Allowance> own(Consumer caller) {
            return caller.rateLimit();
        }

        @Override
        Rule rule(Allowance own) {
            return new Rule.TokenBucket(own.requests(), own.per().toNanos(), own.requests());
        }
    },
    QUOTA("quota", "quota-exceeded", "Quota exceeded", true) {
        @Override
        Optional<Allowance> own(Consumer caller) {
            return caller.quota();
        }

        @Override
        Rule rule(Allowance own) {
            return new Rule.RollingPeriod(own.requests(), own.per().toNanos());
        }
    };

    /// First part of the names of counters.
    final String counter;

    /// Of the problem when the limit is spent.
    final String problem;

    final String title;

    /// Whether counts survive a crash.
    final boolean durable;

    LimitKind(String counter, String problem, String title, boolean durable) {
        this.counter = counter;
        this.problem = problem;
        this.title = title;
        this.durable = durable;
    }

    /// The caller's own numbers, which stand in for those of the policy.
    abstract Optional<Allowance> own(Consumer caller);

    /// How they are counted. One rule for all APIs, because the counter is one for all APIs.
    abstract Rule rule(Allowance own);
}
