package gateway.net;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Which addresses the gateway may call because a definition says so: nobody who can write definitions shall read
/// what is none of theirs through the gateway (server-side request forgery).
///
/// Link-local networks, where clouds tell machines their credentials, and multicast and broadcast addresses are
/// refused, whatever is listed, unless a listed network lies wholly in them. Loopback and private networks are what
/// upstreams usually lie in: with nothing listed they may be called.
public final class AllowedNetworks {
    private static final IpRanges NEVER_BY_CHANCE = IpRanges.of(List.of(
            range("169.254.0.0/16"), // link-local, and the metadata services of most clouds
            range("fe80::/10"),
            range("fd00:ec2::254/128"), // metadata over IPv6
            range("100.100.100.200/32"),
            range("192.0.0.192/32"),
            range("168.63.129.16/32"), // Azure's WireServer: goal state and certificates of the machine
            range("224.0.0.0/4"),
            range("255.255.255.255/32"),
            range("ff00::/8")));

    /// What systems take for an IPv4 address though it is none in full: `2852039166`, `0xA9FEA9FE`, `127.1`.
    private static final Pattern ABBREVIATED = Pattern.compile("(^|\\.)(\\d+|0[xX][0-9a-fA-F]*)\\.?$");

    private static final long NAT64 = 0x0064ff9b00000000L;
    private static final long SIX_TO_FOUR = 0x2002;
    private static final long SIIT = 0xffff0000L;

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
    /// @param host a name or an address, an IPv6 one in brackets, with or without its zone
    public Optional<String> flaw(String host) {
        InetAddress address = IpRange.address(bare(host));
        if (address == null && ABBREVIATED.matcher(host).find())
            return Optional.of("expected a name or an address in full, got \"" + host + "\"");
        if (address == null || allows(address)) return Optional.empty();
        return Optional.of("expected an address that the gateway may call, got " + address.getHostAddress());
    }

    private static String bare(String host) {
        if (!host.startsWith("[")) return host;
        int zone = host.indexOf('%');
        return host.substring(1, zone < 0 ? host.length() - 1 : zone);
    }

    /// An IPv4 address as it lies in an IPv6 one that is translated on its way: NAT64 (RFC 6052), 6to4 (RFC 3056), SIIT
    /// (RFC 2765) and IPv4-compatible addresses (RFC 4291).
    private static InetAddress unwrapped(InetAddress address) {
        byte[] octets = address.getAddress();
        if (octets.length == 4) return address;
        long high = IpRange.bits(octets, 0);
        long low = IpRange.bits(octets, 8);
        if (high >>> 48 == SIX_TO_FOUR) return IpRange.ipv4Address(octets, 2);
        boolean nat64 = high == NAT64 && low >>> 32 == 0;
        boolean siit = high == 0 && low >>> 32 == SIIT;
        boolean compatible = high == 0 && low >>> 32 == 0 && low > 1; // :: and ::1 are none
        return nat64 || siit || compatible ? IpRange.ipv4Address(octets, 12) : address;
    }

    private static boolean isOnPurpose(IpRange range) {
        return NEVER_BY_CHANCE.contains(range.first()) && NEVER_BY_CHANCE.contains(range.last());
    }

    private static IpRange range(String text) {
        return (IpRange) IpRange.parse(text);
    }
}
