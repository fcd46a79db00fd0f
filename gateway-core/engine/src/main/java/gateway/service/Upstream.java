package gateway.service;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import java.util.Map;
import java.util.Set;

/// The service behind one API.
public interface Upstream extends Served {
    /// A request is about to be sent as it is now; what policies of the stage UPSTREAM still make of it is
    /// for the server that it is sent to, and for nobody besides.
    default void about(Exchange exchange, UpstreamWaiter waiter) {}

    /// Settles which part of it `exchange` goes to, before anybody answers in its place who has to tell parts apart;
    /// without effect where it is not split, or where that is known when it is sent alone.
    default void choose(Exchange exchange) {}

    /// The names of those parts of it that a policy may send a request to, see
    /// [gateway.http.Outgoing#branch]; none where it is not split.
    default Set<String> branches() {
        return Set.of();
    }

    /// The first target of each of its branches, and under empty text of its own: what tells it from another upstream,
    /// while targets are added to it and taken from it.
    default Map<String, String> firstTargets() {
        return Map.of();
    }

    /// Sends the request on and blocks until the response head is here; its body streams later.
    ///
    /// @param waiter on whose behalf
    /// @throws gateway.http.UpstreamException when no answer can be had
    Response send(Exchange exchange, UpstreamWaiter waiter);
}
