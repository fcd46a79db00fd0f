package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What requests that share connections of HTTP/2 to an upstream do to each other: windows, places, and where they
/// go when a connection ends under them.
@Timeout(60)
final class Http2UpstreamSharingTest {
    @RegisterExtension
    private final FramedUpstream upstream = FramedUpstream.start();

    private final Http2Gateway gateway = upstream.gateway();

    @Test
    void requests_share_one_connection() throws IOException {
        Http2Wire client = gateway.wire().get(1, "/a").get(3, "/b").get(5, "/c");
        Http2Wire server = upstream.accept();
        for (int i = 0; i < 3; i++) server.next(Http2Wire.HEADERS);

        for (int id : new int[] {5, 1, 3})
            server.headers(id, false, ":status", "200").data(id, true, "no " + id);

        assertThat(client.answer(5).content()).isEqualTo("no 5");
        assertThat(client.answer(1).content()).isEqualTo("no 1");
        assertThat(client.answer(3).content()).isEqualTo("no 3");
        assertThat(upstream.nobodyElseCalls()).isTrue();
    }

    @Test
    void a_request_is_sent_as_far_as_the_windows_of_stream_and_connection_reach() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire server = upstream.proven(client, Http2Wire.setting(4, 3));
        client.post(3, "/up").data(3, true, "abcdefgh");

        server.next(Http2Wire.HEADERS);
        assertThat(server.next(Http2Wire.DATA).payload()).isEqualTo("abc");
        server.frame(Http2Wire.SETTINGS, 0, 0, Http2Wire.setting(4, 5));
        assertThat(server.next(Http2Wire.DATA).payload()).isEqualTo("de");
        server.frame(Http2Wire.WINDOW_UPDATE, 0, 3, Http2Wire.number(100));
        Http2Wire.Frame rest = server.next(Http2Wire.DATA);
        assertThat(rest.payload()).isEqualTo("fgh");
        if (!rest.ends()) assertThat(server.next(Http2Wire.DATA).ends()).isTrue();
        server.headers(3, true, ":status", "200");
        assertThat(client.answer(3).status()).isEqualTo("200");
    }

    @Test
    void streams_whose_client_takes_nothing_keep_no_other_from_its_content() throws IOException {
        Http2Wire client = gateway.wire().frame(Http2Wire.SETTINGS, 0, 0, Http2Wire.setting(4, 0));
        Http2Wire server = upstream.proven(client);
        int[] shut = IntStream.range(1, 31).map(i -> 2 * i + 1).toArray(); // 30 windows: past that of the connection
        for (int id : shut) {
            client.get(id, "/shut");
            assertThat(server.next(Http2Wire.HEADERS).stream()).isEqualTo(id);
            server.headers(id, false, ":status", "200");
        }
        int credit = 1 << 20;
        for (int id : shut) {
            for (int i = 0; i < 4; i++) {
                int count = i < 3 ? 16 * 1024 : 16 * 1024 - 1;
                server.frame(Http2Wire.DATA, 0, id, new byte[count]);
                credit -= count;
            }
            while (credit < 128 * 1024) {
                Http2Wire.Frame update = server.next(Http2Wire.WINDOW_UPDATE);
                assertThat(update.stream()).isZero();
                credit += ByteBuffer.wrap(update.octets()).getInt();
            }
        }
        client.frame(Http2Wire.WINDOW_UPDATE, 0, 0, Http2Wire.number(1 << 20)).get(63, "/open");
        client.frame(Http2Wire.WINDOW_UPDATE, 0, 63, Http2Wire.number(1 << 20));
        server.next(Http2Wire.HEADERS);
        server.headers(63, false, ":status", "200").data(63, true, "past them all");

        assertThat(client.answer(63).content()).isEqualTo("past them all");
    }

    @Test
    void a_further_connection_is_made_when_the_server_takes_no_more_streams() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire first = upstream.proven(client, Http2Wire.setting(3, 1));

        client.get(3, "/a").get(5, "/b");
        assertThat(first.next(Http2Wire.HEADERS).stream()).isEqualTo(3);
        Http2Wire second = upstream.accept();
        assertThat(second.next(Http2Wire.HEADERS).stream()).isEqualTo(1);
        second.headers(1, true, ":status", "202");
        assertThat(client.answer(5).status()).isEqualTo("202");
        first.headers(3, true, ":status", "201");

        assertThat(client.answer(3).status()).isEqualTo("201");
    }

    @Test
    void what_finds_no_place_on_any_connection_waits_for_one_and_is_answered_503_when_none_comes() throws IOException {
        try (Http2Wire client = gateway.wire()) {
            var servers = new ArrayList<Http2Wire>();
            for (int i = 0; i < 8; i++) {
                client.get(2 * i + 1, "/x");
                Http2Wire server = upstream.accept(Http2Wire.setting(3, 1));
                server.next(Http2Wire.HEADERS);
                while (server.next(Http2Wire.SETTINGS).flags() == 0) {} // until it is known
                servers.add(server);
            }

            client.get(17, "/waits");
            servers.get(4).headers(1, true, ":status", "200");
            assertThat(client.answer(9).status()).isEqualTo("200");
            assertThat(servers.get(4).next(Http2Wire.HEADERS).stream()).isEqualTo(3);
            client.get(19, "/waits");

            assertThat(client.answer(19).status()).isEqualTo("503");
            assertThat(upstream.nobodyElseCalls()).isTrue();
        }
    }

    @Test
    void what_a_leaving_server_did_not_look_at_goes_to_another_connection_with_its_body() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire first = upstream.proven(client);
        client.get(3, "/served").post(5, "/moved").data(5, true, "body");
        first.next(Http2Wire.HEADERS);
        first.next(Http2Wire.HEADERS);
        assertThat(first.next(Http2Wire.DATA).payload()).isEqualTo("body");

        first.frame(Http2Wire.GOAWAY, 0, 0, new byte[] {0, 0, 0, 3, 0, 0, 0, 0});
        Http2Wire second = upstream.accept();
        assertThat(second.fields(second.next(Http2Wire.HEADERS))).contains(entry(":path", "/moved"));
        assertThat(second.next(Http2Wire.DATA).payload()).isEqualTo("body");
        second.headers(1, true, ":status", "201");
        assertThat(client.answer(5).status()).isEqualTo("201");
        first.headers(3, true, ":status", "200");

        assertThat(client.answer(3).status()).isEqualTo("200");
        assertThat(first.next(Http2Wire.GOAWAY).code()).isZero();
        assertThatThrownBy(first::next).isInstanceOf(EOFException.class);
    }

    @Test
    void a_refused_stream_is_sent_once_more_and_then_answered_502() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire server = upstream.proven(client);
        client.post(3, "/x").data(3, true, "body");
        server.next(Http2Wire.HEADERS);

        server.frame(Http2Wire.RST_STREAM, 0, 3, Http2Wire.number(Http2Wire.REFUSED_STREAM));
        assertThat(server.next(Http2Wire.HEADERS).stream()).isEqualTo(5);
        assertThat(server.next(Http2Wire.DATA).payload()).isEqualTo("body");
        server.frame(Http2Wire.RST_STREAM, 0, 5, Http2Wire.number(Http2Wire.REFUSED_STREAM));

        assertThat(client.answer(3).status()).isEqualTo("502");
    }

    @Test
    void a_used_connection_that_breaks_is_replaced_for_what_is_idempotent_alone() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire first = upstream.proven(client);
        client.get(3, "/again").post(5, "/once").data(5, true, "body");
        first.next(Http2Wire.HEADERS);
        first.next(Http2Wire.DATA);

        first.connection().close();
        Http2Wire second = upstream.accept();
        assertThat(second.fields(second.next(Http2Wire.HEADERS))).contains(entry(":path", "/again"));
        assertThat(client.answer(5).status()).isEqualTo("502");
        second.headers(1, true, ":status", "200");

        assertThat(client.answer(3).status()).isEqualTo("200");
    }

    @Test
    void a_client_that_leaves_cancels_its_stream_and_no_other() throws IOException {
        Http2Wire client = gateway.wire();
        Http2Wire server = upstream.proven(client);
        client.get(3, "/left").get(5, "/kept");
        for (int i = 0; i < 2; i++) server.next(Http2Wire.HEADERS);
        RawConnection other = gateway.plain().send("GET /gone HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(server.next(Http2Wire.HEADERS).stream()).isEqualTo(7);

        client.frame(Http2Wire.RST_STREAM, 0, 3, Http2Wire.number(Http2Wire.CANCEL));
        Http2Wire.Frame reset = server.next(Http2Wire.RST_STREAM);
        assertThat(reset.stream()).isEqualTo(3);
        assertThat(reset.code()).isEqualTo(Http2Wire.CANCEL);
        other.close();
        assertThat(server.next(Http2Wire.RST_STREAM).stream()).isEqualTo(7);
        server.headers(5, true, ":status", "200");

        assertThat(client.answer(5).status()).isEqualTo("200");
    }
}
