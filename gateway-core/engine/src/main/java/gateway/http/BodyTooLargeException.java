package gateway.http;

/// A body holds more bytes than allowed: a request is answered 413, a response 502.
public final class BodyTooLargeException extends RefusalException {
    private final long limit;

    /// @param limit allowed bytes
    public BodyTooLargeException(long limit) {
        super("body larger than " + limit + " bytes");
        this.limit = limit;
    }

    public long limit() {
        return limit;
    }
}
