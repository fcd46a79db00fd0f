package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.TargetDefinition;
import gateway.net.UpstreamProtocol;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What upstreams are told of the way that a request has come (RFC 9110 §7.6.3).
final class ViaTest {
    private static List<String> told(boolean via, String request) throws IOException {
        try (Proxy proxy = Proxy.in(RequestThreadMode.IO)
                .settings(settings -> settings.withVia(via))
                .start()) {
            proxy.client().send(request);
            return Http.all(proxy.upstream().accept().readHead(), "Via");
        }
    }

    @Test
    void an_upstream_is_told_by_which_version_the_request_came_and_that_it_came_this_way() throws IOException {
        assertThat(told(true, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")).containsExactly("1.1 gateway");
        assertThat(told(true, "GET / HTTP/1.0\r\n\r\n")).containsExactly("1.0 gateway");
    }

    @Test
    void those_that_it_came_by_before_stand_first() throws IOException {
        assertThat(told(true, "GET / HTTP/1.1\r\nHost: a\r\nVia: 1.0 first, 1.1 second\r\n\r\n"))
                .containsExactly("1.0 first, 1.1 second", "1.1 gateway");
    }

    @Test
    void it_may_be_left_unsaid() throws IOException {
        assertThat(told(false, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")).isEmpty();
    }

    @Test
    void a_request_of_http_2_says_so() throws IOException {
        try (Http2Gateway gateway = Http2Gateway.with(settings -> settings.withVia(true));
                Http2Wire client = gateway.wire()) {
            client.get(1, "/");

            assertThat(Http.only(gateway.upstream.accept().readHead(), "Via")).isEqualTo("2 gateway");
        }
    }

    @Test
    void an_upstream_of_http_2_is_told_too() throws IOException {
        try (RawUpstream upstream = new RawUpstream()) {
            var target = new TargetDefinition(URI.create(upstream.url()), 1).by(UpstreamProtocol.H2C);
            try (Http2Gateway gateway =
                            Http2Gateway.inFrontOf(OneRoute.to(target), settings -> settings.withVia(true));
                    RawConnection client = gateway.plain()) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                Http2Wire server = Http2Wire.serving(upstream.accept()).frame(Http2Wire.SETTINGS, 0, 0);

                assertThat(server.fields(server.next(Http2Wire.HEADERS))).containsEntry("via", "1.1 gateway");
            }
        }
    }
}
