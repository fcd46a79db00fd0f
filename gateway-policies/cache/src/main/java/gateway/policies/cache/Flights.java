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
    private static final Duration REMEMBERED_FOR_ALL = Duration.ofHours(1);

    private final ConcurrentHashMap<CacheKey, Flight> flights = new ConcurrentHashMap<>();

    private final SeededHash hashes = new SeededHash();

    /// Hashes of keys whose last answer could not be kept: nobody waits for another's, which would be no use to him.
    /// Where two keys have one hash, nobody waits for either's; no client can make two that have.
    private final Cache<Long, Boolean> fruitless = Caffeine.newBuilder()
            .maximumSize(MOST_REMEMBERED)
            .expireAfterWrite(REMEMBERED)
            .executor(Runnable::run)
            .build();

    /// Hashes of keys whose last answer was for everybody: callers who have keys of their own wait for one and the
    /// same.
    private final Cache<Long, Boolean> forAll = Caffeine.newBuilder()
            .maximumSize(MOST_REMEMBERED)
            .expireAfterWrite(REMEMBERED_FOR_ALL)
            .executor(Runnable::run)
            .build();

    /// The key by which who asks for the same waits: the one for everybody where the last answer was for everybody.
    CacheKey keyOf(CacheRequest request) {
        if (request.own().equals(request.common())) return request.common();
        boolean isForAll = !forAll.asMap().isEmpty() && forAll.getIfPresent(hash(request.common())) != null;
        return isForAll ? request.common() : request.own();
    }

    /// What came for `request` is for everybody, or for its caller alone.
    void learn(CacheRequest request, boolean isForAll) {
        if (request.own().equals(request.common())) return;
        if (isForAll) forAll.put(hash(request.common()), true);
        else if (!forAll.asMap().isEmpty()) forAll.invalidate(hash(request.common()));
    }

    /// `mine`, now that it is on its way, or another that is for the same; one that has landed where none is of use.
    Flight join(Flight mine) {
        if (isFruitless(mine.key)) return Flight.LANDED;
        Flight other = flights.putIfAbsent(mine.key, mine);
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
    void land(Flight flight) {
        if (flight.hasLanded()) return;
        flights.remove(flight.key, flight);
        flight.land();
    }

    /// What comes for `key` can be kept, or cannot.
    void learn(CacheKey key, boolean kept) {
        if (!kept) fruitless.put(hash(key), true);
        else if (isFruitless(key)) fruitless.invalidate(hash(key));
    }

    /// What came for `request` could not be kept.
    void learnVain(CacheRequest request) {
        learn(request.own(), false);
        learn(request, false);
    }

    private long hash(CacheKey key) {
        return hashes.of(hashes.of(key.target()), key.part());
    }

    /// One of them.
    static final class Flight {
        static final Flight LANDED = new Flight(CacheKey.ofAll(""));

        static {
            LANDED.land();
        }

        private final CacheKey key;
        private final long begun = System.nanoTime();
        private final CountDownLatch landed = new CountDownLatch(1);

        /// @param key of those who may wait for it
        Flight(CacheKey key) {
            this.key = key;
        }

        private void land() {
            landed.countDown();
        }

        boolean hasLanded() {
            return landed.getCount() == 0;
        }

        /// Blocks until it has landed, or is under way for `patience`: by one that drips, few are held up.
        void await(Duration patience) {
            long left = patience.toNanos() - (System.nanoTime() - begun);
            try {
                if (!landed.await(left, TimeUnit.NANOSECONDS)) return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
