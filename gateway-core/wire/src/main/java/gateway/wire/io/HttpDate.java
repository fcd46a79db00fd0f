package gateway.wire.io;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The value of a `Date` field now (RFC 9110 §5.6.7, IMF-fixdate): one text for all responses of a second.
public final class HttpDate {
    private static final DateTimeFormatter FIXED = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final long MILLIS = 1_000;

    private static volatile Second last = new Second(-1, "");

    private record Second(long number, String text) {}

    private HttpDate() {}

    public static String now() {
        long second = System.currentTimeMillis() / MILLIS;
        Second known = last;
        if (known.number == second) return known.text;
        var made = new Second(second, FIXED.format(Instant.ofEpochSecond(second)));
        last = made;
        return made.text;
    }
}
