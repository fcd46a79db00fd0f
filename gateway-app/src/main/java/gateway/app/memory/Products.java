package gateway.app.memory;

import java.math.BigInteger;

/// `a * b / c` of whole numbers without losing digits; none of them negative. Products past 63 bits, as of more
/// than 100,000 requests a day, take the slow way of some 100 ns.
final class Products {
    private Products() {}

    static long floor(long a, long b, long c) {
        if (Math.multiplyHigh(a, b) == 0 && a * b >= 0) return a * b / c;
        return whole(a, b).divide(BigInteger.valueOf(c)).longValueExact();
    }

    static long ceil(long a, long b, long c) {
        if (Math.multiplyHigh(a, b) == 0 && a * b >= 0) return Math.ceilDiv(a * b, c);
        return whole(a, b)
                .add(BigInteger.valueOf(c - 1))
                .divide(BigInteger.valueOf(c))
                .longValueExact();
    }

    /// `a * b`, or `most` when it is more.
    static long capped(long a, long b, long most) {
        if (Math.multiplyHigh(a, b) != 0 || a * b < 0) return most;
        return Math.min(a * b, most);
    }

    private static BigInteger whole(long a, long b) {
        return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
    }
}
