package gateway.service;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;

/// The service behind one API.
public interface Upstream {
    /// Sends the request on and blocks until the response head is here; its body streams later.
    ///
    /// @param waiter on whose behalf
    /// @throws gateway.http.UpstreamException when no answer can be had
    Response send(Exchange exchange, UpstreamWaiter waiter);

    /// Requests may come from now on: what watches its servers begins here, not when it is made, since it may be made
    /// only to see whether it can be. Told when a snapshot that has it follows one that had it not.
    default void served() {}

    /// No further request comes; those that have begun go on. Told once for each time that it was [#served], when a
    /// snapshot that has it not follows one that had it. What the new one has is served before: what both have in
    /// common is never without a user.
    default void retired() {}
}
