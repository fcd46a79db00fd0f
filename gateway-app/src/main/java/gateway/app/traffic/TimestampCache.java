package gateway.app.traffic;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/// Writes times as RFC 3339 with milliseconds. The text of a second is made once for all records of that second.
final class TimestampCache {
    private static final int TO_SECONDS = "2026-01-01T00:00:00".length();

    private long second = Long.MIN_VALUE;
    private byte[] text = new byte[0];

    void write(long epochMillis, JsonBytes json) {
        long wanted = Math.floorDiv(epochMillis, 1000L);
        if (wanted != second) {
            String full = Instant.ofEpochSecond(wanted).toString();
            text = ('"' + full.substring(0, TO_SECONDS) + '.').getBytes(StandardCharsets.US_ASCII);
            second = wanted;
        }
        int millis = (int) Math.floorMod(epochMillis, 1000L);
        json.raw(text)
                .raw((char) ('0' + millis / 100))
                .raw((char) ('0' + millis / 10 % 10))
                .raw((char) ('0' + millis % 10))
                .raw('Z')
                .raw('"');
    }
}
