package gateway.wire.client;

/// How an upstream is called, whichever of its targets it is.
///
/// @param preserveHost send the client's `Host` rather than the target's
/// @param dnsRefresh age in nanoseconds at which the addresses of a name are asked for again
public record Terms(Timeouts timeouts, boolean preserveHost, Resolver resolver, long dnsRefresh) {
    /// For a request whose client waits for `nanos` at most.
    Terms within(long nanos) {
        return nanos >= timeouts.total() ? this : with(timeouts.within(nanos));
    }

    public Terms with(Timeouts others) {
        return new Terms(others, preserveHost, resolver, dnsRefresh);
    }
}
