package gateway.wire.accept;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/// What tells one client from another where they are counted by address.
public final class ClientNetwork {
    private static final int NETWORK_BYTES = 8; // of IPv6: who has one address has all of its /64

    private ClientNetwork() {}

    /// The address itself, or the /64 of one of IPv6.
    public static InetAddress of(InetAddress client) {
        byte[] octets = client.getAddress();
        if (octets.length == 4) return client;
        Arrays.fill(octets, NETWORK_BYTES, octets.length, (byte) 0);
        try {
            return InetAddress.getByAddress(octets);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // it is as long as an address
        }
    }
}
