package gateway.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AllowedNetworksTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.1.2.3",
                "172.16.0.1",
                "192.168.0.1",
                "8.8.8.8",
                "0.0.0.0",
                "::1",
                "fd12::1",
                "2001:db8::1"
            })
    void loopback_private_and_public_addresses_are_called_when_nothing_is_listed(String address) {
        assertThat(AllowedNetworks.USUAL.allows(ip(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.0.1",
                "fe80::1",
                "fd00:ec2::254",
                "100.100.100.200",
                "192.0.0.192",
                "168.63.129.16",
                "224.0.0.1",
                "239.255.255.255",
                "255.255.255.255",
                "ff02::1"
            })
    void metadata_link_local_and_multicast_addresses_are_not_called(String address) {
        assertThat(AllowedNetworks.USUAL.allows(ip(address))).isFalse();
        assertThat(listed("0.0.0.0/0", "::/0").allows(ip(address)))
                .as("a wide range does not open them")
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::ffff:169.254.169.254",
                "::169.254.169.254",
                "::ffff:0:a9fe:a9fe",
                "64:ff9b::169.254.169.254",
                "2002:a9fe:a9fe::1"
            })
    void an_address_within_another_is_judged_as_what_it_leads_to(String address) {
        assertThat(AllowedNetworks.USUAL.allows(ip(address))).isFalse();
    }

    @Test
    void an_address_that_only_looks_like_a_wrapped_one_is_judged_as_it_is() {
        assertThat(listed("10.0.0.0/8").allows(ip("::1:0:a00:1"))).isFalse();
        assertThat(listed("10.0.0.0/8").allows(ip("64:ff9b::a00:1"))).isTrue();
        assertThat(listed("10.0.0.0/8").allows(ip("64:ff9b::1:0:a00:1"))).isFalse();
    }

    @Test
    void only_listed_networks_are_called_when_some_are_listed() {
        AllowedNetworks networks = listed("10.0.0.0/8", "fd12::/16");

        assertThat(networks.allows(ip("10.9.9.9"))).isTrue();
        assertThat(networks.allows(ip("fd12::9"))).isTrue();
        assertThat(networks.allows(ip("11.0.0.1"))).isFalse();
        assertThat(networks.allows(ip("127.0.0.1"))).isFalse();
        assertThat(networks.allows(ip("0.0.0.0"))).isFalse();
        assertThat(networks.allows(ip("::1"))).isFalse();
    }

    @Test
    void a_network_that_lies_wholly_among_the_refused_is_listed_on_purpose() {
        AllowedNetworks networks = listed("169.254.10.0/24", "10.0.0.0/8");

        assertThat(networks.allows(ip("169.254.10.7"))).isTrue();
        assertThat(networks.allows(ip("10.0.0.7"))).isTrue();
        assertThat(networks.allows(ip("169.254.169.254"))).isFalse();
    }

    @Test
    void an_address_in_a_url_is_judged_without_asking_anybody() {
        assertThat(AllowedNetworks.USUAL.flaw("169.254.169.254"))
                .contains("expected an address that the gateway may call, got 169.254.169.254");
        assertThat(Stream.of("[fe80::1]", "[fe80::1%eth0]", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]")
                        .map(AllowedNetworks.USUAL::flaw))
                .allMatch(flaw -> flaw.isPresent());
        assertThat(Stream.of("127.0.0.1", "[::1]", "localhost", "metadata.example", "a.169.254.169.254.example")
                        .map(AllowedNetworks.USUAL::flaw))
                .allMatch(flaw -> flaw.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2852039166",
                "0xA9FEA9FE",
                "0XA9.0xFE.169.254",
                "127.1",
                "0251.0376.0251.0376",
                "169.254.169.254."
            })
    void an_address_that_is_not_written_in_full_is_refused(String host) {
        assertThat(AllowedNetworks.USUAL.flaw(host))
                .contains("expected a name or an address in full, got \"" + host + "\"");
    }

    private static AllowedNetworks listed(String... ranges) {
        return AllowedNetworks.of(
                Stream.of(ranges).map(IpRange::parse).map(IpRange.class::cast).toList());
    }

    private static InetAddress ip(String text) {
        return InetAddress.ofLiteral(text);
    }
}
