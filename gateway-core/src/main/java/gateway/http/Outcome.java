package gateway.http;

/// How an exchange ended.
///
/// @param status the status sent to the client
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

    public enum Ending {
        COMPLETE,
        CLIENT_GONE,
        UPSTREAM_BROKE_OFF
    }
}
