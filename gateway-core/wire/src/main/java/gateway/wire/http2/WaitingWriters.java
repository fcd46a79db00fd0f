package gateway.wire.http2;

/// The responses of one connection that wait to be written further.
final class WaitingWriters {
    private final OpenStreams<Http2Stream> streams;
    private int waiting;

    WaitingWriters(OpenStreams<Http2Stream> streams) {
        this.streams = streams;
    }

    /// One more waits.
    void waits() {
        waiting++;
    }

    /// One of them waits no longer.
    void waitsNot() {
        waiting--;
    }

    /// The window of all streams together is wider, or the socket takes more: those that wait are told.
    void wake() {
        if (waiting == 0) return;
        for (Http2Stream stream : streams.all()) stream.sink().wake();
    }
}
