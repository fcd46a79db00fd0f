package gateway.wire.http2;

import gateway.wire.io.Deadlines;
import java.util.concurrent.TimeUnit;

/// Looks at one connection from time to time, and ends what has stood still for too long. When memory is crowded or
/// tight that is soon, for what holds some, and a connection without streams is ended too.
final class Http2Deadlines implements Deadlines.Timed {
    private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Http2Session session;
    private final Deadlines ticks;
    private final long headerNanos;
    private final long idleNanos;
    private final long bodyNanos;
    private final long begunAt = System.nanoTime();
    private long quietSince = begunAt;
    private long stuckSince = begunAt;
    private long sent;
    private long askedAt = begunAt;
    private boolean crowded;
    private int slot = -1;

    Http2Deadlines(Http2Session session, Deadlines ticks, Http2Limits limits) {
        this.session = session;
        this.ticks = ticks;
        this.headerNanos = limits.headerTimeout().toNanos();
        this.idleNanos = limits.idleTimeout().toNanos();
        this.bodyNanos = limits.bodyTimeout().toNanos();
    }

    void begin() {
        ticks.watch(this);
    }

    void end() {
        ticks.forget(this);
    }

    /// The last stream has ended.
    void quiet() {
        quietSince = System.nanoTime();
    }

    @Override
    public void onTick(long now) {
        crowded = session.memory().isCrowded();
        if (unread(now)) giveUp();
        else if (!session.frames().received().settled() && now - begunAt > headerNanos)
            session.breakOff(ErrorCode.SETTINGS_TIMEOUT);
        else if (unfinished(now)) giveUp(ErrorCode.ENHANCE_YOUR_CALM);
        else if (session.streams().isEmpty()) quiet(now - quietSince);
        else if (hasUnhurried()) missing(now);
    }

    private void quiet(long nanos) {
        if (nanos > patience(idleNanos)) session.breakOff(ErrorCode.NO_ERROR);
        else session.quietFor(nanos);
    }

    private long patience(long usual) {
        return crowded ? Math.min(usual, SHORT_NANOS) : usual;
    }

    private void giveUp() {
        session.clientSlow();
        session.close();
    }

    private void giveUp(ErrorCode why) {
        session.clientSlow();
        session.breakOff(why);
    }

    /// The client does not read what waits for it.
    private boolean unread(long now) {
        Output output = session.output();
        if (output.unsent() == 0 || output.sent() != sent) {
            stuckSince = now;
            sent = output.sent();
            return false;
        }
        return now - stuckSince > patience(bodyNanos);
    }

    /// A field section or a frame does not come to its end.
    private boolean unfinished(long now) {
        HeadCollector collector = session.frames().collector();
        if (collector.stream() != 0 && now - collector.since() > patience(headerNanos)) return true;
        return session.reader().inFrame() && now - session.frames().received().latest() > patience(bodyNanos);
    }

    private boolean hasUnhurried() {
        if (session.streams().isEmpty()) return false;
        for (Http2Stream stream : session.streams().all()) {
            if (stream.isUnhurried()) return true;
        }
        return false;
    }

    /// A client that may be silent is asked whether it is there; what it sends meanwhile is an answer too.
    private void missing(long now) {
        long heardAt = session.frames().received().latest();
        if (askedAt - heardAt > 0) {
            if (now - askedAt > bodyNanos) session.close();
        } else if (now - heardAt > bodyNanos) {
            askedAt = now;
            session.writer().ping(0);
        }
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int value) {
        slot = value;
    }
}
