package gateway.http;

import java.util.Locale;

/// How an exchange ended.
///
/// @param status the status sent to the client; [Ending#unanswered] when no answer had begun
/// @param ending whether the whole answer left the gateway
/// @param upstreamNanos from handing the request to the upstream to its response head; 0 when it was not asked
/// @param totalNanos from the request head to the last byte
/// @param grpcStatus the `grpc-status` sent to the client, 0 for OK; [#NO_GRPC] when there was none
public record Outcome(int status, Ending ending, long upstreamNanos, long totalNanos, int grpcStatus) {
    public static final int NO_GRPC = -1;

    /// Of a request that is none of gRPC.
    public Outcome(int status, Ending ending, long upstreamNanos, long totalNanos) {
        this(status, ending, upstreamNanos, totalNanos, NO_GRPC);
    }

    /// What the status says, as the first digit of those of HTTP. A call of gRPC has status 200 whatever becomes of it:
    /// failures of its server are 5 (UNKNOWN, DEADLINE_EXCEEDED, INTERNAL, UNAVAILABLE, DATA_LOSS), others 4.
    public int statusClass() {
        return switch (grpcStatus) {
            case NO_GRPC, 0 -> status / 100;
            case 2, 4, 13, 14, 15 -> 5;
            default -> 4;
        };
    }

    /// Whether the client was sent a whole answer; if not, who is the reason.
    public enum Ending {
        COMPLETE,
        /// The client closed its connection or reset its stream.
        CLIENT_GONE,
        /// The client stood still for too long, in its request or in taking its answer.
        CLIENT_SLOW,
        /// The rest of the request was no HTTP.
        CLIENT_MALFORMED,
        UPSTREAM_BROKE_OFF,
        /// The gateway was told to stop and waited no longer. Where no answer had begun, the client was told so.
        GATEWAY_STOPPED,
        /// The gateway's own fault.
        GATEWAY_FAILED;

        private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

        /// As records and meters have it, such as `client-gone`.
        public String word() {
            return word;
        }

        /// The status that stands for an answer that never began. The client saw none.
        public int unanswered() {
            return switch (this) {
                case CLIENT_GONE -> 499; // as nginx has it
                case CLIENT_SLOW -> 408;
                case CLIENT_MALFORMED -> 400;
                case UPSTREAM_BROKE_OFF -> 502;
                case GATEWAY_STOPPED -> 503;
                case GATEWAY_FAILED, COMPLETE -> 500;
            };
        }
    }
}
