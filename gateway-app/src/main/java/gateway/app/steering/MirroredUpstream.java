package gateway.app.steering;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.service.Upstream;
import gateway.wire.client.ProxiedExchange;

/// An upstream of whose requests a second one gets copies.
record MirroredUpstream(Upstream first, Mirror mirror) implements Upstream {
    @Override
    public Response send(Exchange exchange) {
        if (exchange instanceof ProxiedExchange proxied) mirror.offer(proxied);
        return first.send(exchange);
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
