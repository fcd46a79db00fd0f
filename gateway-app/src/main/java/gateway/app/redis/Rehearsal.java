package gateway.app.redis;

import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.Rule;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// Decisions asked for before the first request, so that it meets code that has been loaded and compiled,
/// and a Redis that knows the script. Else the first second of a cold JVM misses the deadline and opens the
/// breaker.
///
/// They look at counters that nobody has and write nothing. Ends after some calls or some time, whichever
/// comes first.
final class Rehearsal {
    private static final int THREADS = 8;
    private static final int CALLS = 300;
    private static final long MOST_NANOS = 300_000_000;
    private static final List<Charge> CHARGES = List.of(
            charge("rate:rehearsal", new Rule.TokenBucket(1_000, 1_000_000_000, 1_000)),
            charge("quota:rehearsal", new Rule.RollingPeriod(1_000, 86_400_000_000_000L)));

    private final ExactCounting counting;
    private final long end = System.nanoTime() + MOST_NANOS;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicReference<DependencyException> failure = new AtomicReference<>();
    private final CountDownLatch done = new CountDownLatch(THREADS);

    private Rehearsal(ExactCounting counting) {
        this.counting = counting;
    }

    /// @throws DependencyException when Redis does not answer, or refuses the script
    static void of(ExactCounting counting) {
        var rehearsal = new Rehearsal(counting);
        for (int i = 0; i < THREADS; i++) Thread.ofVirtual().start(rehearsal::play);
        try {
            rehearsal.done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var failed = rehearsal.failure.get();
        if (failed != null) throw failed;
    }

    private void play() {
        try {
            while (calls.incrementAndGet() <= CALLS && System.nanoTime() - end < 0) counting.look(CHARGES);
        } catch (DependencyException e) {
            failure.set(e);
        } finally {
            done.countDown();
        }
    }

    private static Charge charge(String counter, Rule rule) {
        return new Charge(counter, "rehearsal", rule, Counting.EXACT, false);
    }
}
