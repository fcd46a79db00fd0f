package gateway.app.upstream;

import java.net.URI;

/// Where an upstream server listens: what connections are pooled by.
///
/// @param host a name or an IP literal, lower case; IPv6 without brackets
record TargetAddress(String host, int port) {
    static TargetAddress of(URI url) {
        String host = url.getHost();
        if (host.startsWith("[")) host = host.substring(1, host.length() - 1);
        return new TargetAddress(host.toLowerCase(java.util.Locale.ROOT), url.getPort() < 0 ? 80 : url.getPort());
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
