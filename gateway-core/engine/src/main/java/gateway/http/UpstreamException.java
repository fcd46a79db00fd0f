package gateway.http;

/// The upstream gave no usable answer.
public final class UpstreamException extends RuntimeException {
    private final FailureReason reason;

    /// What went wrong, and the status the client gets for it.
    public enum Kind {
        /// No connection could be made.
        UNREACHABLE(502),
        /// Its address is none that the gateway may call.
        FORBIDDEN(502),
        /// The connection broke before a whole response head.
        BROKEN(502),
        /// The response was not HTTP that can be passed on.
        MALFORMED(502),
        /// Connecting or answering took longer than allowed.
        TIMEOUT(504),
        /// No healthy target, or too many requests wait already.
        UNAVAILABLE(503),
        /// No memory is left for what the request needs.
        OVERLOADED(503),
        /// The client did not send the whole request in time.
        CLIENT_SLOW(408),
        /// The client's own deadline has passed (`grpc-timeout`), though the upstream might have taken longer.
        CLIENT_DEADLINE(504),
        /// The client went away meanwhile; nobody reads the answer.
        CLIENT_GONE(499);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        public int status() {
            return status;
        }

        /// Whether it is the upstream's doing, or may be.
        public boolean blamesUpstream() {
            return switch (this) {
                case UNREACHABLE, FORBIDDEN, BROKEN, MALFORMED, TIMEOUT, UNAVAILABLE -> true;
                case OVERLOADED, CLIENT_SLOW, CLIENT_DEADLINE, CLIENT_GONE -> false;
            };
        }
    }

    public UpstreamException(FailureReason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    /// Where no more than the kind is known.
    public UpstreamException(Kind kind, String message) {
        this(FailureReason.of(kind), message);
    }

    public Kind kind() {
        return reason.kind();
    }

    public FailureReason reason() {
        return reason;
    }
}
