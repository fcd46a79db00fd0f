package gateway.service;

import java.time.Duration;

final class FakeShortTermTest implements ShortTermContract {
    private final ManualClock clock = ManualClock.create();
    private final FakeShortTerm store = new FakeShortTerm(clock);

    @Override
    public ShortTerm store() {
        return store;
    }

    @Override
    public void letPass(Duration time) {
        clock.advance(time);
    }
}
