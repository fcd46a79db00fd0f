package gateway.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A block of IP addresses that share their first bits (CIDR, RFC 4632 and RFC 4291 §2.3): `10.0.0.0/8`,
/// `2001:db8::/32` or a single address. A v4-mapped block (`::ffff:10.0.0.0/104`) is the IPv4 block it maps.
///
/// @param version 4 or 6
/// @param high the upper 64 bits of the first address; 0 for IPv4
/// @param low the lower 64 bits of the first address; the 32 bits of an IPv4 one
/// @param bits length of the shared prefix, up to 32 or 128
public record IpRange(int version, long high, long low, int bits) implements IpRangeReading {
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    static final Pattern IPV4 = Pattern.compile("(" + OCTET + "\\.){3}" + OCTET);
    static final Pattern IPV6 = ipv6();

    /// What is one looks so, but for bits past the prefix.
    static final Pattern FORM = Pattern.compile(
            IPV4.pattern() + "(/(3[0-2]|[12]?[0-9]))?|" + IPV6.pattern() + "(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?");

    private static final String EXPECTED =
            "expected an IP address or a range such as \"10.0.0.0/8\" or \"2001:db8::/32\", got \"";

    /// RFC 4291 §2.2.
    private static Pattern ipv6() {
        String group = "[0-9a-fA-F]{1,4}";
        var forms = new StringBuilder("(GROUP:){7}GROUP|(GROUP:){1,7}:|:((:GROUP){1,7}|:)");
        for (int after = 1; after <= 6; after++)
            forms.append("|(GROUP:){1,")
                    .append(7 - after)
                    .append("}(:GROUP){1,")
                    .append(after)
                    .append('}');
        forms.append("|((GROUP:){6}|::(GROUP:){0,5}");
        for (int before = 1; before <= 5; before++)
            forms.append("|(GROUP:){")
                    .append(before)
                    .append("}:(GROUP:){0,")
                    .append(5 - before)
                    .append('}');
        forms.append(')').append(IPV4.pattern());
        return Pattern.compile("(" + forms.toString().replace("GROUP", group) + ")");
    }

    public IpRange {
        int width = version == 4 ? 32 : 128;
        if (bits < 0 || bits > width) throw new IllegalArgumentException("prefix of " + bits + " bits");
    }

    /// The range that `text` names. No name is ever looked up; octets with leading zeros, bits set past the prefix
    /// and IPv6 zones are refused.
    public static IpRangeReading parse(String text) {
        int slash = text.indexOf('/');
        var address = address(slash < 0 ? text : text.substring(0, slash));
        if (address == null) return new IpRangeReading.Wrong(EXPECTED + text + "\"");
        boolean mapped = address instanceof Inet4Address && text.indexOf(':') >= 0;
        int width = address instanceof Inet4Address ? 32 : 128;
        int written = slash < 0 ? width : prefixLength(text.substring(slash + 1));
        int bits = mapped && slash >= 0 && written >= 0 ? written - 96 : written;
        if (bits < 0 || bits > width) {
            String expected = "expected a prefix of " + (mapped ? "96 to 128" : "0 to " + width) + " bits, got \"";
            return new IpRangeReading.Wrong(expected + text + "\"");
        }
        return of(address, bits, text);
    }

    /// The address that `text` writes in full, without asking DNS.
    public static Optional<InetAddress> literal(String text) {
        return Optional.ofNullable(address(text));
    }

    /// The address that `text` writes in full (four decimal octets, or IPv6 without a zone), without asking DNS;
    /// null when it is anything else. A v4-mapped address is answered as the IPv4 one.
    static @Nullable InetAddress address(String text) {
        if (text.length() > 45
                || !(IPV4.matcher(text).matches() || IPV6.matcher(text).matches())) return null;
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null; // the one way the platform tells that a literal is malformed
        }
    }

    /// Whether `address` lies in this range.
    public boolean contains(InetAddress address) {
        byte[] octets = address.getAddress();
        if (octets.length == 4) return version == 4 && (ipv4(octets) & mask(32 - bits)) == low;
        if (version != 6) return false;
        return (bits(octets, 0) & highMask(bits)) == high && (bits(octets, 8) & lowMask(bits)) == low;
    }

    /// The upper 64 bits of the last address.
    long lastHigh() {
        return version == 4 ? 0 : high | ~highMask(bits);
    }

    /// The lower 64 bits of the last address.
    long lastLow() {
        return version == 4 ? low | (~mask(32 - bits) & 0xffffffffL) : low | ~lowMask(bits);
    }

    /// The first address.
    InetAddress first() {
        return addressOf(high, low);
    }

    /// The last address.
    InetAddress last() {
        return addressOf(lastHigh(), lastLow());
    }

    private InetAddress addressOf(long upper, long lower) {
        var octets = ByteBuffer.allocate(16).putLong(upper).putLong(lower).array();
        return version == 4 ? ipv4Address(octets, 12) : of(octets);
    }

    /// The four octets of `octets` from `at` on as an address.
    static InetAddress ipv4Address(byte[] octets, int at) {
        return of(Arrays.copyOfRange(octets, at, at + 4));
    }

    private static InetAddress of(byte[] octets) {
        try {
            return InetAddress.getByAddress(octets);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // 4 or 16 octets are an address
        }
    }

    static long ipv4(byte[] octets) {
        return (octets[0] & 0xffL) << 24 | (octets[1] & 0xff) << 16 | (octets[2] & 0xff) << 8 | (octets[3] & 0xff);
    }

    static long bits(byte[] octets, int from) {
        long value = 0;
        for (int i = from; i < from + 8; i++) value = value << 8 | (octets[i] & 0xff);
        return value;
    }

    private static IpRangeReading of(InetAddress address, int bits, String text) {
        byte[] octets = address.getAddress();
        boolean small = octets.length == 4;
        long high = small ? 0 : bits(octets, 0);
        long low = small ? ipv4(octets) : bits(octets, 8);
        long keptHigh = small ? 0 : high & highMask(bits);
        long keptLow = small ? low & mask(32 - bits) : low & lowMask(bits);
        var range = new IpRange(small ? 4 : 6, keptHigh, keptLow, bits);
        if (keptHigh == high && keptLow == low) return range;
        return new IpRangeReading.Wrong(
                "bits set past the prefix in \"" + text + "\"; did you mean \"" + range + "\"?");
    }

    private static int prefixLength(String digits) {
        if (digits.isEmpty() || digits.length() > 3 || (digits.length() > 1 && digits.startsWith("0"))) return -1;
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') return -1;
            value = value * 10 + c - '0';
        }
        return value;
    }

    private static long highMask(int bits) {
        return bits >= 64 ? -1 : mask(64 - bits);
    }

    private static long lowMask(int bits) {
        return bits <= 64 ? 0 : mask(128 - bits);
    }

    /// All ones but for the lowest `zeros` bits; 0 to 64.
    private static long mask(int zeros) {
        return zeros == 64 ? 0 : -1L << zeros;
    }

    @Override
    public String toString() {
        if (version == 4) {
            return (low >> 24) + "." + (low >> 16 & 0xff) + "." + (low >> 8 & 0xff) + "." + (low & 0xff) + "/" + bits;
        }
        var text = new StringBuilder();
        for (int shift = 48; shift >= 0; shift -= 16)
            text.append(Long.toHexString(high >> shift & 0xffff)).append(':');
        for (int shift = 48; shift >= 0; shift -= 16) {
            text.append(Long.toHexString(low >> shift & 0xffff)).append(shift == 0 ? "/" : ":");
        }
        return text.append(bits).toString();
    }
}
