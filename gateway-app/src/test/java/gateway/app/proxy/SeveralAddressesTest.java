package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.client.FakeNames;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Upstreams whose name stands for more than one address.
final class SeveralAddressesTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource(RequestThreadMode.class)
    void a_living_address_gets_its_turn_behind_one_that_swallows_packets(RequestThreadMode mode) throws IOException {
        var names = new FakeNames();
        names.set("orders.test", "127.0.0.1", "127.0.0.2");
        try (FullBacklog full = new FullBacklog();
                var living = new RawUpstream(InetAddress.getByName("127.0.0.2"), full.port());
                Proxy proxy = Proxy.in(mode)
                        .upstreams(names.upstreams())
                        .targets("http://orders.test:" + full.port())
                        .timeouts(Duration.ofSeconds(3), LONG, LONG)
                        .start()) {
            RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = living.accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

            assertThat(Http.start(client.readAnswer())).isEqualTo("HTTP/1.1 200 OK");
        }
    }
}
