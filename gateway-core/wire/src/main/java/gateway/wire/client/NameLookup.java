package gateway.wire.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Asks for the addresses of a host; may block.
@FunctionalInterface
public interface NameLookup {
    /// The system's own resolver: hosts file, DNS, or whatever it is set up to ask.
    NameLookup SYSTEM = host -> {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            return List.of();
        }
    };

    /// In the order of preference; empty when the name is unknown or nobody answers.
    List<InetAddress> ask(String host);
}
