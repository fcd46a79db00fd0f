package gateway.service;

import gateway.http.Exchange;
import gateway.http.Response;

/// The service behind one API.
public interface Upstream {
    /// Sends the request on and blocks until the response head is here; its body streams later.
    ///
    /// @throws UpstreamException when no answer can be had
    Response send(Exchange exchange);
}
