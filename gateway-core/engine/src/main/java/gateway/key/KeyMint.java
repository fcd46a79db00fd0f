package gateway.key;

import gateway.http.Secret;
import java.security.SecureRandom;
import java.time.InstantSource;

/// Makes the ids and secrets of new keys.
public final class KeyMint {
    private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int SECRET_CHARACTERS = 28; // 166 bits

    private final InstantSource clock;
    private final SecureRandom random;

    public KeyMint(InstantSource clock, SecureRandom random) {
        this.clock = clock;
        this.random = random;
    }

    /// `key_` and a ULID: 48 bits of milliseconds since the epoch and 80 random ones in Crockford's base 32, so
    /// ids sort by when they were made.
    public String id() {
        var id = new StringBuilder(30).append("key_");
        long millis = clock.millis();
        for (int shift = 45; shift >= 0; shift -= 5) id.append(CROCKFORD.charAt((int) (millis >>> shift) & 31));
        for (int i = 0; i < 16; i++) id.append(CROCKFORD.charAt(random.nextInt(32)));
        return id.toString();
    }

    /// `gw_` and 28 random letters and digits.
    public Secret secret() {
        var secret = new StringBuilder(3 + SECRET_CHARACTERS).append("gw_");
        for (int i = 0; i < SECRET_CHARACTERS; i++) secret.append(BASE62.charAt(random.nextInt(62)));
        return new Secret(secret.toString());
    }
}
