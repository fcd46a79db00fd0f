package gateway.service;

import gateway.net.UpstreamProtocol;
import gateway.net.UpstreamTls;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// A server that policies call, and how.
///
/// @param url `http://host[:port][/base]` or `https://…`; the base path stands before that of each request
/// @param tls how it is spoken to by `https`; empty for `http`
/// @param connectTimeout until a connection stands
public record CallTarget(URI url, Optional<UpstreamTls> tls, UpstreamProtocol protocol, Duration connectTimeout) {
    public static final Duration USUAL_CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /// By HTTP/1.1; by `https` as any client would, trusting whom Java trusts.
    public static CallTarget of(URI url) {
        Optional<UpstreamTls> tls =
                "https".equals(url.getScheme()) ? Optional.of(UpstreamTls.to(bare(url.getHost()))) : Optional.empty();
        return new CallTarget(url, tls, UpstreamProtocol.HTTP1, USUAL_CONNECT_TIMEOUT);
    }

    /// What messages, meters and spans call it: `https://idp.example:8443`.
    public String name() {
        return url.getScheme() + "://" + url.getRawAuthority();
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }
}
