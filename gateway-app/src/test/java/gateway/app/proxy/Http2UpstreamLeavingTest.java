package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.GOAWAY;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Upstreams of HTTP/2 that renew their connections while long streams are open on the old ones, as servers of gRPC
/// do by `MaxConnectionAge`.
@Timeout(60)
final class Http2UpstreamLeavingTest {
    private static final int MORE_THAN_MAY_BE_OPEN = 12;
    private static final byte[] LAST_IS_1 = {0, 0, 0, 1, 0, 0, 0, 0};

    @RegisterExtension
    private final FramedUpstream upstream = FramedUpstream.start(Duration.ofSeconds(20));

    private final Http2Gateway gateway = upstream.gateway();

    /// A connection that takes no more streams, with one open whose answer has begun.
    private Http2Wire left(Http2Wire client, int stream) throws IOException {
        client.get(stream, "/watch");
        Http2Wire server = upstream.accept();
        server.next(HEADERS);
        server.frame(GOAWAY, 0, 0, LAST_IS_1).headers(1, false, ":status", "200");
        assertThat(client.fields(client.next(HEADERS))).contains(entry(":status", "200"));
        return server;
    }

    @Test
    void connections_that_a_server_leaves_do_not_keep_others_from_being_made() throws IOException {
        Http2Wire client = gateway.wire();
        List<Http2Wire> old = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_MAY_BE_OPEN; i++) old.add(left(client, 2 * i + 1));

        for (int i = 0; i < MORE_THAN_MAY_BE_OPEN; i++) {
            old.get(i).data(1, true, "no " + i);
            Http2Wire.Frame content = client.next(DATA);
            assertThat(content.stream()).isEqualTo(2 * i + 1);
            assertThat(content.payload()).isEqualTo("no " + i);
        }
    }

    @Test
    void a_server_that_has_left_and_takes_no_new_connection_is_unreachable_at_once() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire old = left(client, 1);
        upstream.refuse();

        client.get(3, "/new");

        assertThat(client.answer(3).status()).isEqualTo("502");
        old.data(1, true, "goes on");
        assertThat(client.next(DATA).payload()).isEqualTo("goes on");
    }
}
