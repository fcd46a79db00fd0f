package gateway.app.steering;

import gateway.config.HealthCheckDefinition;
import gateway.wire.client.Resolver;
import gateway.wire.client.Target;
import gateway.wire.io.OffRequestThreads;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The checks of all targets, each on a virtual thread of its own for as long as somebody wants to know.
final class HealthChecks implements AutoCloseable {
    private final Resolver resolver;
    private final Dice dice;
    private final Map<TargetHealth, Watched> watched = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// @param users that want to know, one at least
    private record Watched(HealthCheck check, int users) {}

    HealthChecks(Resolver resolver, Dice dice) {
        this.resolver = resolver;
        this.dice = dice;
    }

    /// Begins to check `target` at once, and then every interval, until each who wanted it has said [#leave].
    void watch(TargetHealth health, HealthCheckDefinition how, Target target) {
        if (closed) return;
        watched.compute(health, (_, now) -> {
            if (now != null) return new Watched(now.check, now.users + 1);
            var check = new HealthCheck(health, how, target, resolver, dice);
            OffRequestThreads.start("check-" + target.endpoint(), check);
            return new Watched(check, 1);
        });
    }

    /// One of those who wanted to know does no longer; the check ends with the last one.
    void leave(TargetHealth health) {
        watched.computeIfPresent(health, (_, now) -> left(now));
    }

    private static @Nullable Watched left(Watched now) {
        if (now.users > 1) return new Watched(now.check, now.users - 1);
        now.check.end();
        return null;
    }

    /// Targets that are checked now.
    int count() {
        return watched.size();
    }

    @Override
    public void close() {
        closed = true;
        watched.values().forEach(each -> each.check.end());
        watched.clear();
    }
}
