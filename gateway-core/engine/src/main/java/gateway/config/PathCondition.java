package gateway.config;

import gateway.http.Exchange;
import gateway.http.PathPattern;
import gateway.policy.Condition;
import java.util.List;

/// Whether the path lies below one of these.
record PathCondition(List<PathPattern> patterns) implements Condition {
    PathCondition {
        patterns = List.copyOf(patterns);
    }

    @Override
    public boolean holds(Exchange exchange) {
        String path = exchange.pathInApi();
        for (int i = 0; i < patterns.size(); i++) if (patterns.get(i).covers(path)) return true;
        return false;
    }

    @Override
    public boolean decidesByPath() {
        return true;
    }
}
