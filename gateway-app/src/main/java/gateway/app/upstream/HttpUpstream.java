package gateway.app.upstream;

import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.Exchange;
import gateway.http.Response;
import gateway.service.Upstream;
import java.util.List;

/// An upstream reached by HTTP/1.1 from the request's own IO thread.
final class HttpUpstream implements Upstream {
    private final List<Target> targets;
    private final Rotation rotation;
    private final boolean preserveHost;
    private final Timeouts timeouts;
    private final Resolver resolver;

    HttpUpstream(UpstreamDefinition definition, Resolver resolver) {
        this.targets = definition.targets().stream().map(Target::of).toList();
        this.rotation = Rotation.of(
                definition.targets().stream().map(TargetDefinition::weight).toList());
        this.preserveHost = definition.preserveHost();
        this.timeouts = Timeouts.of(definition);
        this.resolver = resolver;
    }

    @Override
    public Response send(Exchange exchange) {
        if (!(exchange instanceof ProxiedExchange proxied))
            throw new IllegalArgumentException("not an exchange of the data plane");
        UpstreamCall call = new UpstreamCall(this, targets.get(rotation.next()), proxied);
        return call.await();
    }

    boolean preserveHost() {
        return preserveHost;
    }

    Timeouts timeouts() {
        return timeouts;
    }

    Resolver resolver() {
        return resolver;
    }

    @Override
    public String toString() {
        return targets.toString();
    }
}
