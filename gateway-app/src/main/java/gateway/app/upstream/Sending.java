package gateway.app.upstream;

/// How much of a request an upstream has been sent.
interface Sending {
    /// Whether the upstream has nothing of the request, or says that it did nothing about it.
    boolean isUnsent();

    /// Whether all of the request can be had again by another sender, and this one takes no more of it.
    boolean isRepeatable();
}
