package gateway.wire.client;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/// Addresses for tests.
final class Ips {
    private Ips() {}

    static List<InetAddress> of(String... literals) {
        return Stream.of(literals).map(InetAddress::ofLiteral).toList();
    }
}
