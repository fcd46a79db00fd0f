package gateway.http;

/// The memory of the process for bodies, as one request draws on it: all is given back when the request is over.
@FunctionalInterface
public interface BodyMemory {
    /// @param bytes more that are kept for the request
    /// @throws UpstreamException of kind `OVERLOADED` when there is no room for them
    void hold(long bytes);
}
