package gateway.policies.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Requests that are on their way to the upstream for something that others may want too: one for each key.
final class Flights {
    /// One for the process.
    record Id() {}

    private static final int MOST_REMEMBERED = 10_000;
    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private final ConcurrentHashMap<CacheKey, Flight> flights = new ConcurrentHashMap<>();

    private final SeededHash hashes = new SeededHash();

    /// Hashes of keys whose last answer could not be kept: nobody waits for another's, which would be no use to him.
    /// Where two keys have one hash, nobody waits for either's; no client can make two that have.
    private final Cache<Long, Boolean> fruitless = Caffeine.newBuilder()
            .maximumSize(MOST_REMEMBERED)
            .expireAfterWrite(REMEMBERED)
            .executor(Runnable::run)
            .build();

    /// `mine`, now that it is on its way for `key`, or the one that is; one that has landed where none is of use.
    Flight join(CacheKey key, Flight mine) {
        if (isFruitless(key)) return Flight.LANDED;
        Flight other = flights.putIfAbsent(key, mine);
        return other == null ? mine : other;
    }

    /// Whether the last answer for `key` could not be kept.
    boolean isFruitless(CacheKey key) {
        return !fruitless.asMap().isEmpty() && fruitless.getIfPresent(hash(key)) != null;
    }

    /// The one for `key`; one that has landed when there is none.
    Flight of(CacheKey key) {
        return flights.getOrDefault(key, Flight.LANDED);
    }

    /// It is over.
    void land(CacheKey key, Flight flight) {
        flights.remove(key, flight);
        flight.land();
    }

    /// What comes for `key` can be kept, or cannot.
    void learn(CacheKey key, boolean kept) {
        if (!kept) fruitless.put(hash(key), true);
        else if (isFruitless(key)) fruitless.invalidate(hash(key));
    }

    private long hash(CacheKey key) {
        return hashes.of(hashes.of(key.target()), key.part());
    }

    /// One of them.
    static final class Flight {
        static final Flight LANDED = new Flight();

        static {
            LANDED.land();
        }

        private final CountDownLatch landed = new CountDownLatch(1);

        private void land() {
            landed.countDown();
        }

        boolean hasLanded() {
            return landed.getCount() == 0;
        }

        /// Blocks until it has landed, for `patience` at most.
        void await(Duration patience) {
            try {
                if (!landed.await(patience.toNanos(), TimeUnit.NANOSECONDS)) return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
