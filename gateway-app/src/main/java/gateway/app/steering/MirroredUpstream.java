package gateway.app.steering;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.service.Served;
import gateway.service.Upstream;
import gateway.wire.client.ClientSide;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// An upstream of whose requests a second one gets copies.
///
/// @param parts that outlast a reload
record MirroredUpstream(Upstream first, Mirror mirror, List<Served> parts) implements Upstream {
    @Override
    public void about(Exchange exchange, UpstreamWaiter waiter) {
        mirror.offer(exchange.outgoing(), ClientSide.of(waiter));
    }

    @Override
    public void choose(Exchange exchange) {
        first.choose(exchange);
    }

    @Override
    public Set<String> branches() {
        return first.branches();
    }

    @Override
    public Map<String, String> firstTargets() {
        return first.firstTargets();
    }

    @Override
    public Response send(Exchange exchange, UpstreamWaiter waiter) {
        return first.send(exchange, waiter);
    }

    @Override
    public void served() {
        parts.forEach(Served::served);
        first.served();
    }

    @Override
    public void retired() {
        first.retired();
        parts.forEach(Served::retired);
    }
}
