package gateway.net;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The peers whose word about a request's origin is taken. Everybody else's `X-Forwarded-*`, `Forwarded`,
/// `X-Real-IP`, `X-Request-Id` and `traceparent` are claims, and dropped.
public final class TrustedProxies {
    private static final int MOST_HOPS = 32;

    private final IpRanges ranges;

    private TrustedProxies(IpRanges ranges) {
        this.ranges = ranges;
    }

    public static TrustedProxies of(IpRanges ranges) {
        return new TrustedProxies(ranges);
    }

    public boolean trust(InetAddress peer) {
        return !ranges.isEmpty() && ranges.contains(peer);
    }

    /// The client's address: the socket peer, or when that is trusted, the right-most hop that is not. The walk
    /// goes from the right because only what trusted hops appended is known to be true; it ends at the first entry
    /// that is no address, after 32 hops, or at the left end, and then answers the farthest trusted hop.
    ///
    /// @param forwardedFor the `X-Forwarded-For` lines as received
    /// @param forwarded the `Forwarded` lines (RFC 7239), used when there is no `X-Forwarded-For`
    public InetAddress client(InetAddress peer, List<String> forwardedFor, List<String> forwarded) {
        if (!trust(peer)) return peer;
        boolean plain = !forwardedFor.isEmpty();
        List<String> lines = plain ? forwardedFor : forwarded;
        InetAddress farthest = peer;
        int hops = 0;
        for (int i = lines.size() - 1; i >= 0; i--) {
            String line = lines.get(i);
            int end = line.length();
            while (end >= 0) {
                int comma = line.lastIndexOf(',', end - 1);
                String entry = line.substring(comma + 1, end).strip();
                InetAddress hop = hops++ < MOST_HOPS ? (plain ? node(entry) : nodeOfElement(entry)) : null;
                if (hop == null) return farthest;
                farthest = hop;
                if (!ranges.contains(hop)) return hop;
                end = comma;
            }
        }
        return farthest;
    }

    /// The address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
    private static @Nullable InetAddress node(String text) {
        if (text.startsWith("[")) {
            int close = text.indexOf(']');
            boolean whole = close > 0 && (close == text.length() - 1 || isPort(text, close + 1));
            if (!whole || text.lastIndexOf(':', close) < 0) return null;
            return IpRange.address(text.substring(1, close));
        }
        int colon = text.indexOf(':');
        boolean port = colon > 0 && colon == text.lastIndexOf(':');
        if (!port) return IpRange.address(text);
        return isPort(text, colon) ? IpRange.address(text.substring(0, colon)) : null;
    }

    /// The address of the `for` parameter of one element; null when it has none, or an obfuscated one.
    private static @Nullable InetAddress nodeOfElement(String element) {
        for (String pair : element.split(";", -1)) {
            String text = pair.strip();
            if (!text.toLowerCase(Locale.ROOT).startsWith("for=")) continue;
            String value = text.substring(4);
            boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
            return node(quoted ? value.substring(1, value.length() - 1) : value);
        }
        return null;
    }

    /// Whether `:` and one to five digits are all that stands from `colon` on.
    private static boolean isPort(String text, int colon) {
        int digits = text.length() - colon - 1;
        if (text.charAt(colon) != ':' || digits < 1 || digits > 5) return false;
        for (int i = colon + 1; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') return false;
        }
        return true;
    }

    @Override
    public String toString() {
        return ranges.toString();
    }
}
