package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.WINDOW_UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Uploads in chunks of a byte to an upstream of HTTP/2: each of them is read, and sent, by itself.
@Timeout(60)
final class Http2SmallChunksTest {
    private static final String POST = "POST /up HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String CHUNK = "1\r\nx\r\n";

    @RegisterExtension
    private final FramedUpstream upstream = FramedUpstream.start();

    @Test
    void arrive_whole() throws IOException {
        int count = 20_000;
        RawConnection client = upstream.gateway().plain().send(POST + CHUNK.repeat(count) + "0\r\n\r\n");
        Http2Wire server = upstream.accept();
        server.next(HEADERS);

        int arrived = 0;
        boolean ended = false;
        while (!ended) {
            Http2Wire.Frame content = server.next(DATA);
            arrived += content.payload().length();
            ended = content.ends();
        }

        assertThat(arrived).isEqualTo(count);
        server.headers(1, true, ":status", "204");
        assertThat(client.readHead()).startsWith("HTTP/1.1 204 ");
    }

    @Test
    void leave_others_of_the_same_connection_and_thread_their_turn() throws Exception {
        RawConnection flood = upstream.gateway().plain().send(POST);
        Thread client = Thread.ofPlatform().start(() -> sendForEver(flood));
        Http2Wire server = upstream.accept();
        Thread answers = Thread.ofPlatform().start(() -> answerOthers(server));
        try {
            for (int i = 0; i < 20; i++) {
                try (RawConnection other = upstream.gateway().plain()) {
                    assertThat(other.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n").readHead())
                            .startsWith("HTTP/1.1 204 ");
                }
            }
        } finally {
            flood.close();
            client.join();
            server.close();
            answers.join();
        }
    }

    private static void sendForEver(RawConnection flood) {
        try {
            String chunks = CHUNK.repeat(5_000);
            while (true) flood.send(chunks);
        } catch (IOException e) {
            // the test is over
        }
    }

    /// Takes all content, and answers what has none.
    private static void answerOthers(Http2Wire server) {
        try {
            server.connection().socket().setSoTimeout(0);
            int taken = 0;
            while (true) {
                Http2Wire.Frame frame = server.next();
                if (frame.type() == HEADERS && frame.ends()) server.headers(frame.stream(), true, ":status", "204");
                if (frame.type() != DATA) continue;
                taken += frame.payload().length();
                if (taken < 16 * 1024) continue;
                byte[] credit = Http2Wire.number(taken);
                server.frame(WINDOW_UPDATE, 0, 0, credit).frame(WINDOW_UPDATE, 0, frame.stream(), credit);
                taken = 0;
            }
        } catch (IOException e) {
            // the test is over
        }
    }
}
