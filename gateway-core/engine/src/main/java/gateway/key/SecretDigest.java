package gateway.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/// What is kept of a secret: HMAC-SHA-256 of it under the installation's [Pepper]. Equal by value, compared in constant
/// time, so it serves as the key of a hash map: which digests are near cannot be steered without the pepper.
public record SecretDigest(long first, long second, long third, long fourth) {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /// @param bytes 32 of them
    static SecretDigest of(byte[] bytes) {
        return new SecretDigest(
                (long) LONGS.get(bytes, 0), (long) LONGS.get(bytes, 8), (long) LONGS.get(bytes, 16), (long)
                        LONGS.get(bytes, 24));
    }

    /// The digest that [#hex] wrote.
    ///
    /// @throws IllegalArgumentException unless `hex` is 64 hexadecimal digits
    public static SecretDigest parse(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        if (bytes.length != 32)
            throw new IllegalArgumentException("expected 64 hexadecimal digits, got " + hex.length());
        return of(bytes);
    }

    /// 64 lower-case hexadecimal digits, as stores keep it.
    public String hex() {
        var digits = HexFormat.of();
        return digits.toHexDigits(first)
                + digits.toHexDigits(second)
                + digits.toHexDigits(third)
                + digits.toHexDigits(fourth);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretDigest that
                && ((first ^ that.first) | (second ^ that.second) | (third ^ that.third) | (fourth ^ that.fourth)) == 0;
    }

    @Override
    public int hashCode() {
        return (int) first;
    }
}
