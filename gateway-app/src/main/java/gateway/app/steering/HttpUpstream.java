package gateway.app.steering;

import gateway.config.UpstreamDefinition;
import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.service.Served;
import gateway.service.Upstream;
import gateway.wire.client.ClientSide;
import gateway.wire.client.Resolver;
import gateway.wire.client.Target;
import gateway.wire.client.Terms;
import java.util.List;
import java.util.Map;

/// An upstream reached from the request's own IO thread, its targets in turn and nothing watched.
final class HttpUpstream implements Upstream {
    private final UpstreamDefinition definition;
    private final List<Target> targets;
    private final Rotation rotation;
    private final Terms terms;
    private final List<Served> parts;

    /// @param rotation over the targets, by their weights
    /// @param parts that outlast a reload
    HttpUpstream(UpstreamDefinition definition, Rotation rotation, Resolver resolver, List<Served> parts) {
        this.parts = parts;
        this.definition = definition;
        this.targets = UpstreamTerms.targets(definition);
        this.rotation = rotation;
        this.terms = UpstreamTerms.of(definition, resolver);
    }

    @Override
    public Map<String, String> firstTargets() {
        return definition.firstTargets();
    }

    @Override
    public Response send(Exchange exchange, UpstreamWaiter waiter) {
        ClientSide client = ClientSide.of(waiter);
        client.content().gather();
        return targets.get(rotation.next())
                .call(terms, exchange.outgoing(), client, null)
                .await();
    }

    @Override
    public void served() {
        parts.forEach(Served::served);
    }

    @Override
    public void retired() {
        parts.forEach(Served::retired);
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
