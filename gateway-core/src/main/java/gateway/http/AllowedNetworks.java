package gateway.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which addresses the gateway may call because a definition says so: nobody who can write definitions shall read
/// what is none of theirs through the gateway (server-side request forgery).
///
/// Link-local networks, where clouds tell machines their credentials, and multicast and broadcast addresses are
/// refused, whatever is listed, unless a listed network lies wholly in them.
public final class AllowedNetworks {
    private static final IpRanges NEVER_BY_CHANCE = IpRanges.of(List.of(
            range("169.254.0.0/16"), // link-local, and the metadata services of most clouds
            range("fe80::/10"),
            range("fd00:ec2::254/128"), // metadata over IPv6
            range("100.100.100.200/32"),
            range("192.0.0.192/32"),
            range("224.0.0.0/4"),
            range("255.255.255.255/32"),
            range("ff00::/8")));

    /// Everything but what is refused whatever is listed.
    public static final AllowedNetworks USUAL = of(List.of());

    private final IpRanges listed;
    private final IpRanges onPurpose;

    private AllowedNetworks(List<IpRange> listed) {
        this.listed = IpRanges.of(listed);
        this.onPurpose =
                IpRanges.of(listed.stream().filter(AllowedNetworks::isOnPurpose).toList());
    }

    /// @param listed networks that may be called; empty: all
    public static AllowedNetworks of(List<IpRange> listed) {
        return new AllowedNetworks(listed);
    }

    public boolean allows(InetAddress address) {
        InetAddress real = unwrapped(address);
        if (NEVER_BY_CHANCE.contains(real)) return onPurpose.contains(real);
        return listed.isEmpty() || listed.contains(real);
    }

    /// Why a URL's host may not be called, as far as can be told without asking DNS.
    ///
    /// @param host a name or an address, an IPv6 one in brackets
    public Optional<String> flaw(String host) {
        @Nullable
        InetAddress address = IpRange.address(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
        if (address == null || allows(address)) return Optional.empty();
        return Optional.of("expected an address that the gateway may call, got " + address.getHostAddress());
    }

    /// An IPv4 address as it lies in an IPv6 one that routers translate: NAT64 (RFC 6052), 6to4 (RFC 3056) and
    /// IPv4-compatible addresses.
    private static InetAddress unwrapped(InetAddress address) {
        byte[] octets = address.getAddress();
        if (octets.length == 4) return address;
        long high = IpRange.bits(octets, 0);
        int at = high == 0x0064ff9b00000000L ? 12 : (high >>> 48) == 0x2002 ? 2 : high == 0 ? 12 : -1;
        if (at < 0 || (high == 0 && octets[10] == 0 && isUnspecifiedOrLoopback(octets))) return address;
        return IpRange.ipv4Address(octets, at);
    }

    private static boolean isUnspecifiedOrLoopback(byte[] octets) {
        return IpRange.bits(octets, 8) >>> 1 == 0;
    }

    private static boolean isOnPurpose(IpRange range) {
        return NEVER_BY_CHANCE.contains(range.first()) && NEVER_BY_CHANCE.contains(range.last());
    }

    private static IpRange range(String text) {
        return (IpRange) IpRange.parse(text);
    }
}
