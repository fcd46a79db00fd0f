package gateway.app.steering;

import gateway.config.UpstreamDefinition;
import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.service.Upstream;
import gateway.wire.client.ClientSide;
import gateway.wire.client.Resolver;
import gateway.wire.client.Target;
import gateway.wire.client.Terms;
import java.util.List;

/// An upstream reached from the request's own IO thread, its targets in turn and nothing watched.
final class HttpUpstream implements Upstream {
    private final UpstreamDefinition definition;
    private final List<Target> targets;
    private final Rotation rotation;
    private final Terms terms;

    /// @param rotation over the targets, by their weights
    HttpUpstream(UpstreamDefinition definition, Rotation rotation, Resolver resolver) {
        this.definition = definition;
        this.targets = UpstreamTerms.targets(definition);
        this.rotation = rotation;
        this.terms = UpstreamTerms.of(definition, resolver);
    }

    @Override
    public Response send(Exchange exchange, UpstreamWaiter waiter) {
        ClientSide client = ClientSide.of(waiter);
        client.content().gather();
        return targets.get(rotation.next())
                .call(terms, exchange.outgoing(), client, null)
                .await();
    }

    UpstreamDefinition definition() {
        return definition;
    }

    Rotation rotation() {
        return rotation;
    }

    @Override
    public String toString() {
        return targets.toString();
    }
}
