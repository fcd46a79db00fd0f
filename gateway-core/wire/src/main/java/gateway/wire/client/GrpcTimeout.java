package gateway.wire.client;

import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The deadline that a gRPC client sets itself, by `grpc-timeout`: up to eight digits and a unit, `H M S m u n`
/// ("gRPC over HTTP2", Requests).
public final class GrpcTimeout {
    private static final HttpString FIELD = new HttpString("grpc-timeout");
    private static final int MOST_DIGITS = 8;

    private GrpcTimeout() {}

    /// In nanoseconds; [Long#MAX_VALUE] when there is none, or the request is none of gRPC. What is no timeout bounds
    /// nothing: it is the server's to refuse.
    public static long nanos(HeaderMap fields) {
        String text = fields.getFirst(FIELD);
        if (text == null || fields.count(FIELD) > 1 || !GrpcContent.isIn(fields)) return Long.MAX_VALUE;
        int digits = text.length() - 1;
        if (digits < 1 || digits > MOST_DIGITS) return Long.MAX_VALUE;
        TimeUnit unit = unit(text.charAt(digits));
        long count = 0;
        for (int i = 0; i < digits; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) return Long.MAX_VALUE;
            count = count * 10 + digit;
        }
        return unit == null || count == 0 ? Long.MAX_VALUE : unit.toNanos(count); // saturates
    }

    private static @Nullable TimeUnit unit(char letter) {
        return switch (letter) {
            case 'H' -> TimeUnit.HOURS;
            case 'M' -> TimeUnit.MINUTES;
            case 'S' -> TimeUnit.SECONDS;
            case 'm' -> TimeUnit.MILLISECONDS;
            case 'u' -> TimeUnit.MICROSECONDS;
            case 'n' -> TimeUnit.NANOSECONDS;
            default -> null;
        };
    }
}
