package gateway.config;

import gateway.net.UpstreamProtocol;
import gateway.net.UpstreamTls;
import java.net.URI;
import java.util.Optional;

/// One server of an upstream.
///
/// @param url `http://host[:port][/base]` or `https://…`; the base path stands before the forwarded path
/// @param weight share of the requests, up to 1000; 0 takes no new ones
/// @param tls how it is spoken to by `https`; empty for `http`
public record TargetDefinition(URI url, int weight, Optional<UpstreamTls> tls, UpstreamProtocol protocol) {
    /// By HTTP/1.1.
    public TargetDefinition(URI url, int weight, Optional<UpstreamTls> tls) {
        this(url, weight, tls, UpstreamProtocol.HTTP1);
    }

    /// By `https` when `url` says so, as [UpstreamTls#to] has it.
    public TargetDefinition(URI url, int weight) {
        this(url, weight, "https".equals(url.getScheme()) ? Optional.of(UpstreamTls.to(host(url))) : Optional.empty());
    }

    /// The same server, spoken to by another protocol.
    public TargetDefinition by(UpstreamProtocol other) {
        return new TargetDefinition(url, weight, tls, other);
    }

    private static String host(URI url) {
        String host = url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }
}
