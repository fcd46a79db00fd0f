package gateway.service;

import gateway.http.Exchange;
import gateway.http.Response;

/// The service behind one API.
public interface Upstream {
    /// Sends the request on and blocks until the response head is here; its body streams later.
    ///
    /// @throws UpstreamException when no answer can be had
    Response send(Exchange exchange);

    /// Requests may come from now on: what watches its servers begins here, not when it is made, since it may be made
    /// only to see whether it can be. Told again whenever a snapshot that has it goes live.
    default void served() {}
}
