package gateway.http;

/// How an exchange ended.
///
/// @param status the status sent to the client
/// @param ending whether the whole answer left the gateway
/// @param upstreamNanos from handing the request to the upstream to its response head; 0 when it was not asked
/// @param totalNanos from the request head to the last byte
public record Outcome(int status, Ending ending, long upstreamNanos, long totalNanos) {
    public enum Ending {
        COMPLETE,
        CLIENT_GONE,
        UPSTREAM_BROKE_OFF
    }
}
