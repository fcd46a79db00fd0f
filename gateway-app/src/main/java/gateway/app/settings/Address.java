package gateway.app.settings;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where a listener listens.
///
/// @param host name or address literal, an IPv6 one without brackets
/// @param port 0 lets the operating system choose
public record Address(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]/\\s]+):(\\d{1,5})");

    public static Address of(InetSocketAddress bound) {
        return new Address(bound.getAddress().getHostAddress(), bound.getPort());
    }

    /// Reads `host:port`, `[::1]:9090` for IPv6.
    public static Optional<Address> parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) return Optional.empty();
        int port = Integer.parseInt(match.group(2));
        String host = match.group(1);
        if (port > 65_535) return Optional.empty();
        return Optional.of(new Address(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port));
    }

    /// Whether only this machine can reach it. A name that cannot be resolved counts as reachable from outside.
    public boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
