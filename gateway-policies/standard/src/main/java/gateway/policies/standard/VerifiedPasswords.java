package gateway.policies.standard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Passwords that were right a short while ago, and the way to find out about the others.
///
/// Kept is only an HMAC-SHA-256 of hash and password under a key of this process, so that the memory gives no
/// password away and a changed hash is asked again at once.
final class VerifiedPasswords {
    /// Of equal age they share this: one for each `cacheFor`.
    record Id(Duration cacheFor) {}

    private static final String ALGORITHM = "HmacSHA256";
    private static final int MOST_KEPT = 10_000;

    private final Cache<String, Boolean> verified;
    private final PasswordHashing hashing;
    private final Mac mac;

    private VerifiedPasswords(Cache<String, Boolean> verified, PasswordHashing hashing, Mac mac) {
        this.verified = verified;
        this.hashing = hashing;
        this.mac = mac;
    }

    static VerifiedPasswords create(Duration keep, PasswordHashing hashing, InstantSource clock) {
        Cache<String, Boolean> verified = Caffeine.newBuilder()
                .maximumSize(MOST_KEPT)
                .expireAfterWrite(keep)
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
        var key = new byte[32];
        new SecureRandom().nextBytes(key);
        return new VerifiedPasswords(verified, hashing, keyed(key));
    }

    /// What became of a password that had to be hashed.
    enum Answer {
        RIGHT,
        WRONG,
        /// Too many others wait to be hashed.
        BUSY
    }

    /// Whether `password` was found right for `hash` a short while ago. Costs one HMAC, half a microsecond.
    boolean contains(PasswordHash hash, byte[] password) {
        return verified.getIfPresent(digest(hash, password)) != null;
    }

    /// Hashes `password` on a thread of [PasswordHashing] while the calling one waits.
    ///
    /// @param remember whether to keep that it was right
    Answer verify(PasswordHash hash, byte[] password, boolean remember) {
        String digest = digest(hash, password);
        Optional<Boolean> right = hashing.ask(digest, () -> {
            boolean matches = hash.matches(password);
            if (matches && remember) verified.put(digest, true); // before the next one asks
            return matches;
        });
        if (right.isEmpty()) return Answer.BUSY;
        return right.get() ? Answer.RIGHT : Answer.WRONG;
    }

    private String digest(PasswordHash hash, byte[] password) {
        Mac fresh = copy();
        fresh.update(hash.bytes());
        return new String(fresh.doFinal(password), StandardCharsets.ISO_8859_1);
    }

    private Mac copy() {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e); // the JDK's own can
        }
    }

    private static Mac keyed(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException(e); // every JDK has it, and any key will do
        }
    }
}
