package gateway.wire.client;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The addresses that the name of a server has, as the connections to it need to know them: where a name has moved on,
/// its connections have to follow, though nobody asks for an address while there are connections. They are looked at
/// now and then, apart from any request; a connection that is put back compares two references. On one IO thread.
final class ServerAddresses {
    private final String host;
    private final boolean fixed;
    private @Nullable Resolver resolver;
    private long refresh = Long.MAX_VALUE;
    private List<InetAddress> now = List.of();

    /// @param host a name, or an address, which stays what it is
    ServerAddresses(String host) {
        this.host = host;
        this.fixed = Resolver.isLiteral(host);
    }

    boolean fixed() {
        return fixed;
    }

    /// A connection was made on these terms. Of several refresh times the shortest counts.
    void follow(Terms terms) {
        if (fixed) return;
        resolver = terms.resolver();
        refresh = Math.min(refresh, terms.dnsRefresh());
        look();
    }

    /// Looks at what is known by now, and has it asked for again when it is too old.
    void look() {
        if (resolver == null) return;
        List<InetAddress> known = resolver.known(host, refresh);
        if (known != null) now = known;
    }

    /// As last looked at: the same list as long as nothing changes; empty when nothing is known, and for an address.
    List<InetAddress> now() {
        return now;
    }

    /// Whether a connection to `peer` leads to one of them, as far as is known.
    boolean include(@Nullable InetAddress peer) {
        return now.isEmpty() || peer == null || now.contains(peer);
    }
}
