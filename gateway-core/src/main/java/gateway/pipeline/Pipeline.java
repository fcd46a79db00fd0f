package gateway.pipeline;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.service.Upstream;

/// The steps of one API in order, then its upstream.
public final class Pipeline {
    private final Upstream upstream;

    Pipeline(Upstream upstream) {
        this.upstream = upstream;
    }

    public boolean isEmpty() {
        return true;
    }

    /// Walks `passage` through the steps to the upstream and back. The caller ends the passage when the exchange is over.
    ///
    /// @throws gateway.service.UpstreamException when the upstream gave no answer; followups have seen the problem response
    public Response run(Exchange exchange, Passage passage) {
        return upstream.send(exchange);
    }
}
