package gateway.http;

import java.time.Duration;

/// So many requests in so much time: the numbers of a rate limit or a quota.
public record Allowance(long requests, Duration per) {
    public Allowance {
        if (requests < 1) throw new IllegalArgumentException("requests " + requests);
        if (per.isZero() || per.isNegative()) throw new IllegalArgumentException("per " + per);
    }
}
