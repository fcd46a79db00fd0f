package gateway.config;

import gateway.json.ConfigNode;
import gateway.policy.Condition;
import gateway.policy.ConditionType;
import java.time.Instant;
import java.time.InstantSource;

/// The field `times` of `when`: holds while one of its windows is open.
///
/// `[{"days": ["mon-fri"], "from": "08:00", "to": "18:00", "zone": "Europe/Berlin"}]`.
public final class TimeConditions implements ConditionType {
    private final InstantSource clock;

    /// By the machine's clock.
    public TimeConditions() {
        this(InstantSource.system());
    }

    public TimeConditions(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return "times";
    }

    @Override
    public Condition read(ConfigNode node) {
        node.meaning("windows of time, one of which is open").extent(1, Integer.MAX_VALUE);
        TimeWindow[] windows = node.list(TimeWindow::read).toArray(TimeWindow[]::new);
        if (windows.length == 0 && node.json().filter(json -> json.isArray()).isPresent())
            node.problem("expected at least one window");
        return exchange -> {
            Instant now = clock.instant();
            for (TimeWindow each : windows) {
                if (each.covers(now)) return true;
            }
            return false;
        };
    }
}
