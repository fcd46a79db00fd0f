package gateway.wire.io;

import java.util.concurrent.TimeUnit;

/// The connections of clients of one IO thread that make room for newcomers when there are as many as there may be:
/// first those on which no whole request has come yet, the eldest of each step (the PROXY header, the handshake, the
/// first request) first; then those that have been idle since their last request, for longest first. Used on that
/// thread alone; a request costs nothing here.
public final class SilentConnections {
    /// From then on a connection that has had a request counts as idle: those that are used have gaps too.
    public static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final SilentLine untried = new SilentLine(SilentLine.NEWCOMERS_UNHEARD);
    private final SilentLine idle = new SilentLine(0);

    /// `connection` has begun a step towards its first request.
    public void begun(SilentLine.Silent connection) {
        untried.join(connection);
    }

    /// `connection` has had a request, and none for [#IDLE_NANOS].
    public void idle(SilentLine.Silent connection) {
        idle.join(connection);
    }

    /// `connection` has ended its step, has a request again or is closed.
    public void over(SilentLine.Silent connection) {
        untried.leave(connection);
        idle.leave(connection);
    }

    /// Ends the first to go; answers whether one has gone. Nobody who has been served goes while others wait to be
    /// heard.
    public boolean makeRoom() {
        return untried.makeRoom() || (untried.isSpared() && idle.makeRoom());
    }
}
