package gateway.app.steering;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.service.Upstream;
import gateway.wire.client.ClientSide;

/// An upstream of whose requests a second one gets copies.
record MirroredUpstream(Upstream first, Mirror mirror) implements Upstream {
    @Override
    public Response send(Exchange exchange, UpstreamWaiter waiter) {
        mirror.offer(exchange.outgoing(), ClientSide.of(waiter));
        return first.send(exchange, waiter);
    }

    @Override
    public void served() {
        first.served();
    }

    @Override
    public void retired() {
        first.retired();
    }
}
