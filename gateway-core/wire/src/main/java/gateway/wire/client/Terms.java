package gateway.wire.client;

import gateway.config.UpstreamDefinition;

/// How an upstream is called, whichever of its targets it is.
///
/// @param preserveHost send the client's `Host` rather than the target's
/// @param dnsRefresh age in nanoseconds at which the addresses of a name are asked for again
public record Terms(Timeouts timeouts, boolean preserveHost, Resolver resolver, long dnsRefresh) {
    public static Terms of(UpstreamDefinition definition, Resolver resolver) {
        long refresh = definition.steering().dnsRefresh().toNanos();
        return new Terms(Timeouts.of(definition), definition.preserveHost(), resolver, refresh);
    }

    /// For a request whose client waits for `nanos` at most.
    Terms within(long nanos) {
        return nanos >= timeouts.total() ? this : with(timeouts.within(nanos));
    }

    public Terms with(Timeouts others) {
        return new Terms(others, preserveHost, resolver, dnsRefresh);
    }
}
