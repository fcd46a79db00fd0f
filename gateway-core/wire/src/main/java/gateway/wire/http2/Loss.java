package gateway.wire.http2;

/// Why a stream has ended before its end.
public record Loss(Kind kind, String message) {
    /// What it says about the request.
    public enum Kind {
        /// Nothing.
        BROKEN,
        /// Nothing, and the server has broken the protocol.
        MALFORMED,
        /// The server did nothing about it, since it did not want to.
        REFUSED,
        /// The server did nothing about it, since it did not get to it before the connection ended.
        MISSED
    }

    /// Whether the server surely did nothing about the request, so that it may be sent again.
    public boolean unprocessed() {
        return kind == Kind.REFUSED || kind == Kind.MISSED;
    }

    static Loss broken(String message) {
        return new Loss(Kind.BROKEN, message);
    }

    static Loss malformed(String what) {
        return new Loss(Kind.MALFORMED, "the upstream's answer is not valid HTTP/2: " + what);
    }

    static Loss refused(String message) {
        return new Loss(Kind.REFUSED, message);
    }

    static Loss missed(String message) {
        return new Loss(Kind.MISSED, message);
    }
}
