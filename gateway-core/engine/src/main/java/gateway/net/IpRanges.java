package gateway.net;

import gateway.json.ConfigNode;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A set of IP ranges that answers fast whether an address lies in one: sorted borders, overlapping ranges
/// merged, found by binary search. IPv4 and IPv6 are apart: `::/0` holds no IPv4 address.
public final class IpRanges {
    public static final IpRanges NONE = of(List.of());

    private final List<IpRange> ranges;
    private final long[] firsts4;
    private final long[] lasts4;
    private final long[] firsts6; // high, low, high, low …
    private final long[] lasts6;

    private IpRanges(List<IpRange> ranges) {
        this.ranges = List.copyOf(ranges);
        List<IpRange> small = merged(ranges, 4);
        List<IpRange> large = merged(ranges, 6);
        firsts4 = small.stream().mapToLong(IpRange::low).toArray();
        lasts4 = small.stream().mapToLong(IpRange::lastLow).toArray();
        firsts6 = new long[2 * large.size()];
        lasts6 = new long[2 * large.size()];
        for (int i = 0; i < large.size(); i++) {
            firsts6[2 * i] = large.get(i).high();
            firsts6[2 * i + 1] = large.get(i).low();
            lasts6[2 * i] = large.get(i).lastHigh();
            lasts6[2 * i + 1] = large.get(i).lastLow();
        }
    }

    public static IpRanges of(List<IpRange> ranges) {
        return new IpRanges(ranges);
    }

    /// The ranges of an array such as `["10.0.0.0/8", "2001:db8::1"]`; each element that is none is noted as a
    /// problem.
    public static IpRanges read(ConfigNode array) {
        return of(array.list(IpRanges::readOne).stream().flatMap(List::stream).toList());
    }

    public boolean contains(InetAddress address) {
        byte[] octets = address.getAddress();
        if (octets.length == 4) return contains4(IpRange.ipv4(octets));
        return contains6(IpRange.bits(octets, 0), IpRange.bits(octets, 8));
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    private boolean contains4(long value) {
        int from = 0;
        int to = firsts4.length;
        while (from < to) { // the first range that begins past the address
            int middle = (from + to) >>> 1;
            if (firsts4[middle] > value) to = middle;
            else from = middle + 1;
        }
        return from > 0 && value <= lasts4[from - 1];
    }

    private boolean contains6(long high, long low) {
        int from = 0;
        int to = firsts6.length / 2;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (compare(firsts6[2 * middle], firsts6[2 * middle + 1], high, low) > 0) to = middle;
            else from = middle + 1;
        }
        return from > 0 && compare(lasts6[2 * from - 2], lasts6[2 * from - 1], high, low) >= 0;
    }

    /// The ranges of one version in order, without those that lie in another: of two blocks one holds the other or
    /// they are apart.
    private static List<IpRange> merged(List<IpRange> ranges, int version) {
        var kept = new ArrayList<IpRange>();
        ranges.stream()
                .filter(range -> range.version() == version)
                .sorted(IpRanges::widestFirst)
                .filter(range -> kept.isEmpty() || !holds(kept.getLast(), range))
                .forEach(kept::add);
        return kept;
    }

    private static int widestFirst(IpRange one, IpRange other) {
        int byStart = compare(one.high(), one.low(), other.high(), other.low());
        return byStart != 0 ? byStart : Integer.compare(one.bits(), other.bits());
    }

    private static boolean holds(IpRange outer, IpRange inner) {
        return compare(outer.lastHigh(), outer.lastLow(), inner.lastHigh(), inner.lastLow()) >= 0;
    }

    private static int compare(long high, long low, long otherHigh, long otherLow) {
        int byHigh = Long.compareUnsigned(high, otherHigh);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, otherLow);
    }

    private static List<IpRange> readOne(ConfigNode element) {
        if (!element.isPresent()) {
            element.problem("expected an IP address or a range, got nothing");
            return List.of();
        }
        String text = element.like(IpRange.FORM).text();
        if (text.isEmpty()) { // not text: noted already, unless it is ""
            if (element.json().orElseThrow().isString()) element.problem("expected an IP address or a range, got \"\"");
            return List.of();
        }
        return switch (IpRange.parse(text)) {
            case IpRange range -> List.of(range);
            case IpRangeReading.Wrong(String message) -> {
                element.problem(message);
                yield List.of();
            }
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpRanges that && ranges.equals(that.ranges);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(ranges);
    }

    @Override
    public String toString() {
        return ranges.toString();
    }
}
