package gateway.config;

import gateway.http.Exchange;
import gateway.policy.Condition;
import java.util.List;

/// Conditions made of others.
final class JoinedCondition {
    private JoinedCondition() {}

    /// Holds when all do; those that need no body are asked first.
    static Condition all(List<Condition> conditions) {
        if (conditions.isEmpty()) return Condition.ALWAYS;
        if (conditions.size() == 1) return conditions.getFirst();
        return new All(
                conditions.stream().filter(each -> !each.readsBody()).toArray(Condition[]::new),
                conditions.stream().filter(Condition::readsBody).toArray(Condition[]::new),
                conditions.stream().anyMatch(Condition::decidesByPath));
    }

    static Condition not(Condition inner) {
        return new Not(inner);
    }

    private static boolean hold(Condition[] conditions, Exchange exchange) {
        for (Condition condition : conditions) {
            if (!condition.holds(exchange)) return false;
        }
        return true;
    }

    private record Not(Condition inner) implements Condition {
        @Override
        public boolean holds(Exchange exchange) {
            return !inner.holds(exchange);
        }

        @Override
        public boolean decidesByPath() {
            return inner.decidesByPath();
        }

        @Override
        public boolean readsBody() {
            return inner.readsBody();
        }

        @Override
        public boolean needsBody(Exchange exchange) {
            return inner.needsBody(exchange);
        }
    }

    private static final class All implements Condition {
        private final Condition[] ofHead;
        private final Condition[] ofBody;
        private final boolean byPath;

        All(Condition[] ofHead, Condition[] ofBody, boolean byPath) {
            this.ofHead = ofHead;
            this.ofBody = ofBody;
            this.byPath = byPath;
        }

        @Override
        public boolean decidesByPath() {
            return byPath;
        }

        @Override
        public boolean holds(Exchange exchange) {
            return hold(ofHead, exchange) && hold(ofBody, exchange);
        }

        @Override
        public boolean readsBody() {
            return ofBody.length > 0;
        }

        @Override
        public boolean needsBody(Exchange exchange) {
            if (ofBody.length == 0 || !hold(ofHead, exchange)) return false;
            for (Condition each : ofBody) if (each.needsBody(exchange)) return true;
            return false;
        }
    }
}
