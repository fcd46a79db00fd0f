package gateway.http;

/// Who waits for the answer to one request, on the side of the client: made by whoever runs the pipeline, and handed
/// on to the upstream. What a kind of upstreams needs of it besides is agreed between the two.
public interface UpstreamWaiter extends BodyMemory {
    /// Nobody: the answer is the caller's alone.
    UpstreamWaiter NOBODY = () -> "";

    /// The location of the target asked last, such as `http://10.0.0.1:9001`; empty when none was.
    String upstream();

    /// Lets go of the upstream's answer, which nobody has seen, so that the request can be sent once more.
    ///
    /// @return false when not all of the request is here any more: the answer stays then
    default boolean sendsAgain() {
        return false;
    }

    /// Takes memory of the process for `bytes` more that are kept for the request until it is over. On the
    /// threads that work for the request.
    ///
    /// @throws UpstreamException of kind `OVERLOADED` when there is no room for them
    @Override
    default void hold(long bytes) {}
}
