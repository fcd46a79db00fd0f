package gateway.wire.http2;

import java.time.Duration;
import java.util.List;

/// How a connection takes leave of its client, in two steps (RFC 9113 §6.8): the client is asked to open no more
/// streams, and those that it opens all the same are served, since they may be on their way. Some time later it is
/// told which stream was the last one; later ones are refused, so that their requests can be made elsewhere.
public final class GoAway {
    private static final int ANY = Integer.MAX_VALUE;
    private static final long ON_THE_WAY = Duration.ofSeconds(1).toNanos(); // a round trip, of distant clients too

    private final Http2Session session;
    private int last = ANY;
    private boolean begun;
    private long begunAt;
    private boolean closesOnceSent;

    GoAway(Http2Session session) {
        this.session = session;
    }

    boolean hasBegun() {
        return begun;
    }

    /// Whether streams that the client opens now are still served.
    boolean servesNew() {
        return last == ANY;
    }

    /// The stream past which none was or will be looked at.
    int last() {
        return Math.min(last, session.frames().lastStream());
    }

    /// The client opens no more streams.
    void heard() {
        begun = true;
        begunAt = System.nanoTime();
        if (session.streams().isEmpty()) session.post(this::closeIfIdle);
    }

    /// Goes on with it: to be called again until the connection is closed, which it is when no stream is open and
    /// nothing of the client waits to be read.
    public void goOn() {
        if (!session.isOpen()) return;
        if (!begun) begin();
        else if (session.streams().isEmpty() && !session.awaitsTurn()) closeIfIdle();
        else if (System.nanoTime() - begunAt > ON_THE_WAY) tellLast();
    }

    private void begin() {
        begun = true;
        begunAt = System.nanoTime();
        session.writer().goAway(ANY, ErrorCode.NO_ERROR);
    }

    /// The gateway waits no longer: no further stream is served, and those that are open are told.
    public void stop() {
        tellLast();
        for (Http2Stream stream : List.copyOf(session.streams().all())) stream.stop();
        closeIfIdle();
    }

    /// Ends the connection and all its streams, those too that have no whole answer.
    public void end() {
        session.breakOff(ErrorCode.NO_ERROR);
    }

    private void tellLast() {
        if (!servesNew() || !session.isOpen()) return;
        begun = true;
        last = session.frames().lastStream();
        session.writer().goAway(last, ErrorCode.NO_ERROR);
    }

    /// Ends a connection that is left, once the client has been sent everything.
    void closeIfIdle() {
        if (!begun || !session.isOpen() || !session.streams().isEmpty()) return;
        if (session.output().unsent() > 0) closesOnceSent = true;
        else session.breakOff(ErrorCode.NO_ERROR);
    }

    /// Nothing waits for the socket.
    void sent() {
        if (!closesOnceSent) return;
        closesOnceSent = false;
        session.post(this::closeIfIdle);
    }
}
