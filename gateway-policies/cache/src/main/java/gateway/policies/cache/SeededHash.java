package gateway.policies.cache;

import java.security.SecureRandom;

/// Hashes of texts that are others in each process: nobody outside can tell which texts have the same. A polynomial of
/// the characters modulo a prime, at a secret place.
final class SeededHash {
    private static final long PRIME = (1L << 61) - 1;

    private final long place;

    SeededHash() {
        this(new SecureRandom().nextLong(1L << 32, PRIME));
    }

    SeededHash(long place) {
        this.place = place;
    }

    /// Up to the prime.
    long of(String text) {
        return of(text.length(), text);
    }

    /// Of `text` behind what `begin` is the hash of.
    long of(long begin, String text) {
        long hash = begin;
        for (int i = 0; i < text.length(); i++) hash = reduced(times(hash) + text.charAt(i) + 1);
        return times(hash); // so that the last character is everywhere in it
    }

    private long times(long hash) {
        long low = hash * place;
        long high = Math.multiplyHigh(hash, place) << 3 | low >>> 61; // 2^61 is 1
        return reduced((low & PRIME) + high);
    }

    private static long reduced(long number) {
        return number >= PRIME ? number - PRIME : number;
    }
}
