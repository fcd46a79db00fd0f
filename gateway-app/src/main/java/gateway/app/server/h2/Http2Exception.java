package gateway.app.server.h2;

import java.io.IOException;
import java.io.Serial;

/// The client broke the protocol, or asked for too much, so that its connection ends (RFC 9113 §5.4.1).
final class Http2Exception extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    Http2Exception(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    ErrorCode code() {
        return code;
    }
}
