package gateway.app.steering;

import gateway.config.RetryDefinition;
import gateway.config.RetryDefinition.Failure;
import gateway.http.Body;
import gateway.http.Outgoing;
import gateway.http.PassingBody;
import gateway.http.UpstreamException;
import gateway.wire.client.RequestSender;
import gateway.wire.client.UpstreamCall;
import java.time.Duration;
import java.util.OptionalLong;

/// Which requests are sent again, and when.
record Retrying(RetryDefinition how, RetryBudget budget, Dice dice) {
    /// Whether the request may be repeated once something of it was sent: its method is idempotent, or its client has
    /// made it so (the `Idempotency-Key` header).
    boolean isSafe(Outgoing outgoing) {
        String method = outgoing.method();
        if (RequestSender.isIdempotent(method)) return true;
        return how.methods().contains(method) && outgoing.headers().contains("Idempotency-Key");
    }

    /// Holds a small body, whose length the client has told, so that it can be sent again: what policies make of it on
    /// its way, which may be longer.
    void hold(Outgoing outgoing) {
        if (!isSafe(outgoing)) return;
        Body body = outgoing.body();
        OptionalLong comes =
                body instanceof PassingBody passing ? passing.source().length() : body.length();
        if (comes.isPresent() && comes.getAsLong() > 0 && comes.getAsLong() <= how.maxBody())
            body.bytes(Integer.MAX_VALUE);
    }

    boolean wants(int status) {
        return how.statuses().contains(status);
    }

    boolean wants(UpstreamException.Kind kind) {
        return switch (kind) {
            case UNREACHABLE -> how.on().contains(Failure.UNREACHABLE);
            case BROKEN -> how.on().contains(Failure.BROKEN);
            case TIMEOUT -> how.on().contains(Failure.TIMEOUT);
            case FORBIDDEN, MALFORMED, UNAVAILABLE, OVERLOADED, CLIENT_GONE, CLIENT_SLOW, CLIENT_DEADLINE -> false;
        };
    }

    /// Whether an attempt may be followed by another as far as the request goes: it is all there still, and either
    /// nothing of it was sent or it is safe to repeat.
    boolean mayFollow(UpstreamCall last, Outgoing outgoing) {
        return last.mayFollow(isSafe(outgoing));
    }

    /// How long to wait before the attempt after `number` attempts, in nanoseconds: up to the back-off, which doubles
    /// each time ("full jitter").
    long pause(int number) {
        long most = how.maxBackoff().toNanos();
        long backoff = Math.min(most, how.backoff().toNanos() << Math.min(number - 1, 16));
        return dice.below(backoff + 1);
    }

    long headWithin() {
        return how.perTryTimeout().map(Duration::toNanos).orElse(Long.MAX_VALUE);
    }
}
