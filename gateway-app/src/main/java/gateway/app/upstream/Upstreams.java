package gateway.app.upstream;

import gateway.config.UpstreamDefinition;
import gateway.service.Upstream;
import java.util.concurrent.TimeUnit;

/// Makes upstreams of definitions. Long-lived: what outlasts a reload lives here and with the IO threads.
public final class Upstreams {
    private static final long NAMES_ARE_FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Resolver resolver = new Resolver(NAMES_ARE_FRESH_NANOS);

    public Upstream upstreamFor(UpstreamDefinition definition) {
        return new HttpUpstream(definition, resolver);
    }
}
