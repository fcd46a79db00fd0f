package gateway.app.steering;

import gateway.config.RequestTrait;
import gateway.config.UpstreamDefinition;
import gateway.config.UpstreamDefinition.Balance;
import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.service.Served;
import gateway.service.Upstream;
import gateway.wire.client.ClientSide;
import gateway.wire.client.Connector;
import gateway.wire.client.Terms;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An upstream whose targets are watched and chosen with care. What it knows of them is held by long-lived parts, so
/// that the next one of the same name goes on where this one ends.
///
/// @param breaker null: none; likewise `retrying` and `bulkhead`
/// @param parts that outlast a reload
record SteeredUpstream(
        UpstreamDefinition definition,
        Terms terms,
        Endpoints endpoints,
        @Nullable CircuitBreaker breaker,
        @Nullable Retrying retrying,
        @Nullable Bulkhead bulkhead,
        List<Served> parts)
        implements Upstream {
    @Override
    public Map<String, String> firstTargets() {
        return definition.firstTargets();
    }

    @Override
    public Response send(Exchange exchange, UpstreamWaiter waiter) {
        ClientSide client = ClientSide.of(waiter);
        client.content().gather();
        return new SteeredCall(this, exchange.outgoing(), client, hash(exchange)).send();
    }

    @Override
    public void served() {
        parts.forEach(Served::served);
    }

    @Override
    public void retired() {
        parts.forEach(Served::retired);
    }

    /// What the request is balanced by, when it is by hash.
    private long hash(Exchange exchange) {
        if (definition.balance() != Balance.HASH) return 0;
        RequestTrait by = definition.steering().hashBy();
        return Hash.of(by.of(exchange).or(() -> RequestTrait.IP.of(exchange)).orElseThrow());
    }

    /// Whether anything is decided by how answers end.
    boolean judges() {
        return breaker != null || definition.steering().ejection().isPresent();
    }

    /// Where requests can go now.
    ///
    /// @throws gateway.http.UpstreamException when no target has an address
    Candidates placement() {
        Candidates placement = endpoints.now();
        if (!placement.targets().isEmpty()) return placement;
        String host =
                UpstreamTerms.target(definition.targets().getFirst()).address().host();
        throw Connector.unresolved(terms.resolver(), host);
    }
}
