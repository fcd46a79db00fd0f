package gateway.net;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IpRangesTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.168.1.7, 192.168.1.7, true",
        "192.168.1.7, 192.168.1.8, false",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, ::1, false",
        "::/0, ::1, true",
        "::/0, 1.2.3.4, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::, false",
        "2001:db8:0:1::/64, 2001:db8:0:1:ffff:ffff:ffff:ffff, true",
        "2001:db8:0:1::/64, 2001:db8:0:2::, false",
        "2001:db8::8000:0:0:0/65, 2001:db8::8000:0:0:1, true",
        "2001:db8::8000:0:0:0/65, 2001:db8::7fff:0:0:1, false",
        "fe80::1, fe80::1, true",
        "::ffff:10.0.0.0/104, 10.1.2.3, true",
        "::ffff:10.0.0.1, 10.0.0.1, true",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
        "128.0.0.0/1, 200.1.1.1, true",
    })
    void an_address_lies_in_a_range_when_they_share_the_prefix(String range, String address, boolean inside) {
        var parsed = range(range);
        var found = InetAddress.ofLiteral(address);

        assertThat(parsed.contains(found)).isEqualTo(inside);
        assertThat(IpRanges.of(List.of(parsed)).contains(found)).isEqualTo(inside);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "localhost",
                "10",
                "10.0.0",
                "10.0.0.0.0",
                "010.0.0.1",
                "256.0.0.1",
                "1.2.3.4.",
                "0x7f.1.1.1",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "10.0.0.0/8/8",
                " 10.0.0.0",
                "10.0.0.0/8 ",
                "::1/129",
                "fe80::1%eth0",
                "[::1]",
                ":",
                "1:2:3:4:5:6:7:8:9",
                "::1::",
                "::ffff:10.0.0.0/90",
                "10.0.0.1/8",
                "2001:db8::1/32",
                "10.0.0.1:80",
                "::ffff:256.1.1.1",
                "1.2.3.4:5:6"
            })
    void anything_else_is_refused(String text) {
        assertThat(IpRange.parse(text)).isInstanceOf(IpRangeReading.Wrong.class);
    }

    @Test
    void bits_past_the_prefix_are_refused_with_the_range_that_was_meant() {
        assertThat(IpRange.parse("10.1.2.3/8"))
                .isEqualTo(new IpRangeReading.Wrong(
                        "bits set past the prefix in \"10.1.2.3/8\"; did you mean \"10.0.0.0/8\"?"));
    }

    @Test
    void every_wrong_element_is_a_problem_under_its_pointer() {
        var node = ConfigNode.parse("{\"allow\": [\"10.0.0.0/8\", \"ten\", 7, \"::1/200\", \"\"]}");

        var ranges = IpRanges.read(node.field("allow"));

        assertThat(ranges).isEqualTo(IpRanges.of(List.of(range("10.0.0.0/8"))));
        assertThat(node.problems())
                .extracting(ConfigProblem::pointer)
                .containsExactly("/allow/1", "/allow/2", "/allow/3", "/allow/4");
    }

    @Property(tries = 500)
    void a_set_holds_what_one_of_its_ranges_holds(
            @ForAll @Size(max = 12) List<@IntRange(min = 0, max = 255) Integer> seeds,
            @ForAll @IntRange(min = 0, max = 255) int a,
            @ForAll @IntRange(min = 0, max = 255) int b)
            throws UnknownHostException {
        var ranges = seeds.stream()
                .flatMap(seed -> List.of(
                        new IpRange(4, 0, (seed & 0xf0L) << 24, seed % 8 + 4),
                        new IpRange(6, (long) (seed & 0xf0) << 56, 0, seed % 60 + 4),
                        new IpRange(6, -1L << 56, (long) seed << 56, 72))
                        .stream())
                .toList();
        var set = IpRanges.of(ranges);
        byte[] high = new byte[16];
        high[0] = (byte) a;
        high[8] = (byte) b;

        for (var address : List.of(
                InetAddress.getByAddress(new byte[] {(byte) a, (byte) b, 0, 1}), InetAddress.getByAddress(high))) {
            boolean any = ranges.stream().anyMatch(range -> range.contains(address));
            assertThat(set.contains(address)).isEqualTo(any);
        }
    }

    @Property(tries = 300)
    void what_a_range_prints_reads_as_the_same_range(
            @ForAll long high, @ForAll long low, @ForAll @IntRange(min = 65, max = 128) int bits) {
        long kept = low & -1L << (128 - bits);
        var range = new IpRange(6, high | 1L << 63, kept, bits);

        assertThat(IpRange.parse(range.toString())).isEqualTo(range);
    }

    private static IpRange range(String text) {
        return (IpRange) IpRange.parse(text);
    }
}
