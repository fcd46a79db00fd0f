package gateway.wire.http2;

import java.util.concurrent.TimeUnit;

/// Whether the server at the other end of a connection is there: pings it when it is suspected, or has long been
/// silent with requests open, and gives it up when it does not answer. Closes a connection that nobody uses.
///
/// Not more often, since servers of gRPC end connections that are pinged more than every five minutes.
final class KeepAlive {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(310);
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final UpstreamSession session;
    private long heardAt = System.nanoTime();
    private long quietSince = heardAt;
    private long pingedAt = heardAt - SILENCE_NANOS;
    private boolean pinged; // and nothing was heard since
    private boolean suspected;

    KeepAlive(UpstreamSession session) {
        this.session = session;
    }

    void heard(long now) {
        heardAt = now;
        pinged = false;
        suspected = false;
    }

    /// The last stream has ended.
    void quiet() {
        quietSince = System.nanoTime();
    }

    /// Whether the server owes a sign of life: no stream is opened until it gives one.
    boolean suspected() {
        return suspected;
    }

    void suspect(long now) {
        if (suspected || now - heardAt < RECENT_NANOS) return;
        suspected = true;
        ping(now);
    }

    /// Suspects it as seldom as servers of gRPC allow, since clients bring this about as they like.
    void doubt(long now) {
        if (now - pingedAt >= SILENCE_NANOS) suspect(now);
    }

    private void ping(long now) {
        if (pinged) return;
        pinged = true;
        pingedAt = now;
        session.writer().ping(0);
    }

    void onTick(long now) {
        if (pinged && now - pingedAt > ANSWER_NANOS) {
            session.breakOff(ErrorCode.NO_ERROR, Loss.broken("the upstream keeps silent"));
        } else if (session.isUnused()) {
            if (now - quietSince > IDLE_NANOS) session.closeIfUnused();
        } else if (now - heardAt > SILENCE_NANOS) {
            ping(now);
        }
    }
}
