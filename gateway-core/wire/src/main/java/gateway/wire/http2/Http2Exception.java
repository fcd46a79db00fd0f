package gateway.wire.http2;

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

    public static Http2Exception broken(String why) {
        return new Http2Exception(ErrorCode.PROTOCOL_ERROR, why);
    }

    /// A frame that is not as long as its type has to be (RFC 9113 §4.2).
    public static Http2Exception size() {
        return new Http2Exception(ErrorCode.FRAME_SIZE_ERROR, "a frame of the wrong size");
    }

    /// A window is not kept to, or would be one that may not be (RFC 9113 §6.9.1).
    public static Http2Exception overflow(String why) {
        return new Http2Exception(ErrorCode.FLOW_CONTROL_ERROR, why);
    }

    public ErrorCode code() {
        return code;
    }
}
