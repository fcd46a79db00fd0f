package gateway.app.proxy;

import java.time.Duration;

/// How many bytes a second a client must send of a body, and take of an answer, on average over the time in which it
/// alone is awaited. Streams of one connection share the rate as they share the way.
///
/// @param upload 0: any
/// @param download 0: any
/// @param grace so long a client may be awaited before its rate is looked at
public record LeastRates(int upload, int download, Duration grace) {
    /// As other servers have it: 240 bytes a second, after 5 s.
    public static final LeastRates USUAL = of(240, 240);

    /// The usual grace.
    public static LeastRates of(int upload, int download) {
        return new LeastRates(upload, download, Duration.ofSeconds(5));
    }
}
