package gateway.net;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import java.net.InetAddress;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrustedProxiesTest {
    private static final TrustedProxies PROXIES =
            TrustedProxies.of(IpRanges.read(ConfigNode.parse("[\"10.0.0.0/8\", \"2001:db8::/32\"]")));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | 198.51.100.7 | 192.0.2.1",
                "10.0.0.1 | 198.51.100.7 | 198.51.100.7",
                "10.0.0.1 | 203.0.113.9, 198.51.100.7 | 198.51.100.7",
                "10.0.0.1 | 198.51.100.7, 10.0.0.2,10.0.0.3 | 198.51.100.7",
                "10.0.0.1 | 10.0.0.3, 10.0.0.2 | 10.0.0.3",
                "10.0.0.1 | '' | 10.0.0.1",
                "10.0.0.1 | unknown | 10.0.0.1",
                "10.0.0.1 | 198.51.100.7, unknown, 10.0.0.2 | 10.0.0.2",
                "10.0.0.1 | 198.51.100.7, | 10.0.0.1",
                "10.0.0.1 | 198.51.100.7,, 10.0.0.2 | 10.0.0.2",
                "10.0.0.1 | 1, 10.0.0.2 | 10.0.0.2",
                "10.0.0.1 | localhost | 10.0.0.1",
                "10.0.0.1 | 198.51.100.7:443 | 198.51.100.7",
                "10.0.0.1 | 198.51.100.7: | 10.0.0.1",
                "10.0.0.1 | 198.51.100.7:x | 10.0.0.1",
                "10.0.0.1 | 2001:db9::1 | 2001:db9::1",
                "10.0.0.1 | [2001:db9::1] | 2001:db9::1",
                "10.0.0.1 | [2001:db9::1]:443 | 2001:db9::1",
                "10.0.0.1 | [2001:db9::1]x | 10.0.0.1",
                "10.0.0.1 | [198.51.100.7] | 10.0.0.1",
                "10.0.0.1 | [ | 10.0.0.1",
                "2001:db8::1 | 2001:db9::1, 2001:db8::2 | 2001:db9::1",
                "::ffff:10.0.0.1 | ::ffff:198.51.100.7 | 198.51.100.7",
                "10.0.0.1 | ::ffff:10.0.0.2 | 10.0.0.2",
            })
    void the_right_most_untrusted_hop_is_the_client(String peer, String forwardedFor, String client) {
        assertThat(PROXIES.client(address(peer), List.of(forwardedFor), List.of()))
                .isEqualTo(address(client));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "for=198.51.100.7;proto=https | 198.51.100.7",
                "proto=https;For=198.51.100.7 | 198.51.100.7",
                "for=203.0.113.9, for=198.51.100.7, for=10.0.0.2 | 198.51.100.7",
                "for=\"[2001:db9::1]:443\" | 2001:db9::1",
                "for=\"198.51.100.7:443\" | 198.51.100.7",
                "for=_hidden, for=10.0.0.2 | 10.0.0.2",
                "proto=https | 10.0.0.1",
                "for= | 10.0.0.1",
                "for=\" | 10.0.0.1",
            })
    void forwarded_is_read_when_there_is_no_x_forwarded_for(String forwarded, String client) {
        assertThat(PROXIES.client(address("10.0.0.1"), List.of(), List.of(forwarded)))
                .isEqualTo(address(client));
        assertThat(PROXIES.client(address("10.0.0.1"), List.of("10.0.0.9"), List.of(forwarded)))
                .isEqualTo(address("10.0.0.9"));
    }

    @Test
    void the_last_line_is_the_nearest() {
        var lines = List.of("203.0.113.9", "198.51.100.7, 10.0.0.2", "10.0.0.3");

        assertThat(PROXIES.client(address("10.0.0.1"), lines, List.of())).isEqualTo(address("198.51.100.7"));
    }

    @Test
    void an_endless_list_ends_the_walk() {
        String hops = "198.51.100.7" + ", 10.0.0.2".repeat(10_000);

        assertThat(PROXIES.client(address("10.0.0.1"), List.of(hops), List.of()))
                .isEqualTo(address("10.0.0.2"));
    }

    @Test
    void nobody_is_trusted_unless_named() {
        var nobody = TrustedProxies.of(IpRanges.NONE);

        assertThat(nobody.trust(address("127.0.0.1"))).isFalse();
        assertThat(nobody.client(address("127.0.0.1"), List.of("198.51.100.7"), List.of()))
                .isEqualTo(address("127.0.0.1"));
    }

    @Property(tries = 1_000)
    void any_text_gives_an_address(@ForAll String text) {
        assertThat(PROXIES.client(address("10.0.0.1"), List.of(text), List.of()))
                .isNotNull();
        assertThat(PROXIES.client(address("10.0.0.1"), List.of(), List.of("for=" + text)))
                .isNotNull();
    }

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }
}
