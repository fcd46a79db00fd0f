package gateway.http;

/// How the head of a request is passed on to the upstream: at first as its route says.
public interface Forwarding {
    /// What the upstream is sent of a path as the client wrote it; begins with `/`.
    String forwardedPath(String rawPath);

    /// Whether the path may hold `%2F` and `%5C`.
    default boolean encodedSeparators() {
        return false;
    }

    /// See [Outgoing#authority].
    default String authority() {
        return "";
    }

    /// See [Outgoing#branch].
    default String branch() {
        return "";
    }
}
