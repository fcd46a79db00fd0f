package gateway.app.upstream;

import gateway.app.tls.ClientTls;
import gateway.config.UpstreamDefinition;
import gateway.service.Upstream;
import java.util.concurrent.TimeUnit;

/// Makes upstreams of definitions. Long-lived: what outlasts a reload lives here and with the IO threads.
public final class Upstreams {
    private static final long NAMES_ARE_FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Resolver resolver = new Resolver(NAMES_ARE_FRESH_NANOS);

    /// @throws gateway.json.InvalidConfigException when a file of its `tls` cannot be used
    public Upstream upstreamFor(UpstreamDefinition definition) {
        ClientTls.check(definition.targets());
        return new HttpUpstream(definition, resolver);
    }
}
