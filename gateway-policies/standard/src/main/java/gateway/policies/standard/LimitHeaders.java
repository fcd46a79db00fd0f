package gateway.policies.standard;

import gateway.http.Headers;
import gateway.http.Response;
import gateway.policy.Followup;
import gateway.service.Permit;
import java.time.InstantSource;
import java.util.Optional;

/// Tells the client what is left of one limit.
///
/// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) are lists: each limit adds its item.
/// The older `X-RateLimit-Limit`, `-Remaining` and `-Reset` (Unix seconds) hold one limit only: the one with the
/// fewest requests left, so that `-Remaining` is how many may follow at once.
record LimitHeaders(LimitNumbers numbers, Permit permit, InstantSource clock) implements Followup {
    private static final long SECOND = 1_000_000_000L;
    private static final int LONGEST_NUMBER = 18;

    @Override
    public Response onResponse(Response response) {
        write(response.headers());
        return response;
    }

    void write(Headers headers) {
        String remaining = Long.toString(permit.remaining());
        headers.add("RateLimit-Policy", numbers.policy());
        headers.add("RateLimit", numbers.item() + remaining + ";t=" + seconds(permit.resetNanos()));
        if (isTighter(headers.first("X-RateLimit-Remaining"), permit.remaining())) return;
        headers.set("X-RateLimit-Limit", numbers.limit());
        headers.set("X-RateLimit-Remaining", remaining);
        headers.set("X-RateLimit-Reset", Long.toString(reset()));
    }

    /// Whole seconds, never less than `nanos`.
    static long seconds(long nanos) {
        return Math.ceilDiv(nanos, SECOND);
    }

    private long reset() {
        return Math.ceilDiv(clock.millis() + Math.ceilDiv(permit.resetNanos(), 1_000_000L), 1_000L);
    }

    /// Whether the limit already told, by a policy further in or by the upstream, leaves no more than this one.
    private static boolean isTighter(Optional<String> told, long remaining) {
        if (told.isEmpty()) return false;
        String text = told.get();
        if (text.isEmpty() || text.length() > LONGEST_NUMBER) return false;
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) return false;
            number = number * 10 + digit;
        }
        return number <= remaining;
    }
}
