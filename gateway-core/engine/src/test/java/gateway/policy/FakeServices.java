package gateway.policy;

import gateway.service.FakeKeyStore;
import gateway.service.FakeLimitStore;
import gateway.service.FakeShortTerm;
import gateway.service.ManualClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Services made of fakes, all under one manual clock.
public final class FakeServices implements Services {
    private final ManualClock clock = ManualClock.create();
    private final FakeKeyStore keys = new FakeKeyStore();
    private final FakeLimitStore limits = new FakeLimitStore(clock);
    private final FakeLimitStore localLimits = new FakeLimitStore(clock);
    private final FakeShortTerm shortTerm = new FakeShortTerm(clock);
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Map<Record, Object> shared = new ConcurrentHashMap<>();

    @Override
    public FakeKeyStore keys() {
        return keys;
    }

    @Override
    public FakeLimitStore limits() {
        return limits;
    }

    @Override
    public FakeLimitStore localLimits() {
        return localLimits;
    }

    @Override
    public FakeShortTerm shortTerm() {
        return shortTerm;
    }

    @Override
    public ManualClock clock() {
        return clock;
    }

    @Override
    public MeterRegistry meters() {
        return meters;
    }

    @Override
    public <T> T shared(Record key, Class<T> type, Supplier<T> make) {
        return type.cast(shared.computeIfAbsent(key, absent -> make.get()));
    }
}
