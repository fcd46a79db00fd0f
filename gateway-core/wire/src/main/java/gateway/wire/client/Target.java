package gateway.wire.client;

import gateway.http.Outgoing;
import gateway.net.UpstreamProtocol;
import gateway.net.UpstreamTls;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One server of an upstream, with what every request to it begins with ready as bytes.
///
/// @param authority for `Host`
/// @param location scheme and authority
/// @param basePath stands before the forwarded path, without slash at the end; often empty
public record Target(TargetAddress address, String location, String authority, String basePath) {
    /// @param url `http://host[:port][/base]` or `https://…`
    /// @param tls empty: in the clear
    public static Target of(URI url, Optional<UpstreamTls> tls, UpstreamProtocol protocol) {
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        String location = url.getScheme() + "://" + url.getRawAuthority();
        return new Target(TargetAddress.of(url, tls, protocol), location, url.getRawAuthority(), base);
    }

    /// This server at each of the addresses of its name's preferred family.
    public List<Target> at(List<InetAddress> addresses) {
        return addresses.subList(0, Resolver.preferred(addresses)).stream()
                .map(each -> new Target(address.at(each.getHostAddress()), location, authority, basePath))
                .toList();
    }

    /// Tells it from the other endpoints of its upstream.
    public String endpoint() {
        String host = address.host().indexOf(':') >= 0 ? "[" + address.host() + "]" : address.host();
        String scheme = location.substring(0, location.indexOf(':'));
        return scheme + "://" + host + ":" + address.port() + basePath;
    }

    /// The same server, spoken to by HTTP/1.1.
    Target byHttp1() {
        return new Target(address.byHttp1(), location, authority, basePath);
    }

    /// A request to it, which has not begun. To be made on the request thread.
    ///
    /// @param client who waits for the answer
    /// @param atEnd run on the IO thread, once, when the call has let go of its connection; null: nobody asks
    public UpstreamCall call(Terms terms, Outgoing outgoing, ClientSide client, @Nullable Runnable atEnd) {
        var callResult = new CallResult();
        return address.protocol() == UpstreamProtocol.HTTP1
                ? new Http1Call(terms, this, outgoing, client, atEnd, callResult)
                : new Http2Call(terms, this, outgoing, client, atEnd, callResult);
    }
}
