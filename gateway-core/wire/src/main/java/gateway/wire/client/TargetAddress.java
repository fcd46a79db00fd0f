package gateway.wire.client;

import gateway.net.UpstreamProtocol;
import gateway.net.UpstreamTls;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where an upstream server listens and how it is spoken to there: what connections are pooled by.
///
/// @param host a name or an IP literal, lower case; IPv6 without brackets
/// @param tls null: in the clear
public record TargetAddress(String host, int port, @Nullable UpstreamTls tls, UpstreamProtocol protocol) {
    static TargetAddress of(URI url, Optional<UpstreamTls> tls, UpstreamProtocol protocol) {
        String host = url.getHost();
        if (host.startsWith("[")) host = host.substring(1, host.length() - 1);
        int port = url.getPort() >= 0 ? url.getPort() : tls.isEmpty() ? 80 : 443;
        return new TargetAddress(host.toLowerCase(Locale.ROOT), port, tls.orElse(null), protocol);
    }

    /// The same server at another of its addresses, spoken to in the same way.
    TargetAddress at(String other) {
        return new TargetAddress(other, port, tls, protocol);
    }

    /// The same server, spoken to by HTTP/1.1.
    TargetAddress byHttp1() {
        return new TargetAddress(host, port, tls, UpstreamProtocol.HTTP1);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
