package gateway.wire.http2;

import gateway.http.Outcome.Ending;

/// Who is the reason that the gateway ends a stream or a connection, as the code says that it tells the client.
final class EndingReason {
    private EndingReason() {}

    static Ending of(ErrorCode why) {
        return switch (why) {
            case NO_ERROR -> Ending.GATEWAY_STOPPED;
            case INTERNAL_ERROR -> Ending.GATEWAY_FAILED;
            case CANCEL, SETTINGS_TIMEOUT -> Ending.CLIENT_SLOW;
            case PROTOCOL_ERROR,
                    FLOW_CONTROL_ERROR,
                    STREAM_CLOSED,
                    FRAME_SIZE_ERROR,
                    REFUSED_STREAM,
                    COMPRESSION_ERROR,
                    CONNECT_ERROR,
                    ENHANCE_YOUR_CALM -> Ending.CLIENT_MALFORMED;
        };
    }
}
