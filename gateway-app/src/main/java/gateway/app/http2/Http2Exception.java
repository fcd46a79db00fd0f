package gateway.app.http2;

import java.io.IOException;
import java.io.Serial;

/// The peer broke the protocol, or asked for too much, so that the connection ends (RFC 9113 §5.4.1).
public final class Http2Exception extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public Http2Exception(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
