package gateway.wire.http1;

/// What the head of a response says about the connection and the body.
///
/// @param contentLength -1 when not given
/// @param keepAlive whether the connection may serve another request afterwards
public record ResponseHead(int status, long contentLength, boolean chunked, boolean keepAlive) {
    public static final int SWITCHING_PROTOCOLS = 101;

    /// 1xx but 101: another head follows.
    public boolean interim() {
        return status < 200 && status != SWITCHING_PROTOCOLS;
    }

    boolean says(int otherStatus, long otherLength, boolean otherChunked, boolean otherKeepAlive) {
        return status == otherStatus
                && contentLength == otherLength
                && chunked == otherChunked
                && keepAlive == otherKeepAlive;
    }

    /// Whether content can follow at all (RFC 9112 §6.3).
    public boolean hasBody(boolean toHead) {
        return !toHead && status != 204 && status != 304 && contentLength != 0;
    }
}
