package gateway.wire.client;

import gateway.http.UpstreamException;

/// A request on its way to an upstream. Used on the IO thread.
interface Sending {
    /// Whether the upstream has nothing of the request, or says that it did nothing about it.
    boolean isUnsent();

    /// Whether all of the request can be had again by another sender, and this one takes no more of it.
    boolean isRepeatable();

    /// The upstream, or the gateway in its place, asked for the body.
    void continued();

    /// Takes no more of the body, and sends no more.
    void stop();

    /// Why there is no answer in time: whoever has to act.
    UpstreamException late();
}
