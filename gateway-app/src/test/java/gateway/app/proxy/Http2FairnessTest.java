package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.DATA;
import static gateway.app.proxy.Http2Wire.HEADERS;
import static gateway.app.proxy.Http2Wire.SETTINGS;
import static gateway.app.proxy.Http2Wire.WINDOW_UPDATE;
import static gateway.app.proxy.Http2Wire.number;
import static gateway.app.proxy.Http2Wire.setting;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Streams that share a connection which takes little at a time.
@Timeout(60)
final class Http2FairnessTest {
    private static final int STREAMS = 8;
    private static final int BODY = 1 << 20;
    private static final int FIRST_WINDOW = 65_535;
    private static final int STEP = 1 << 14;
    private static final int STEPS = 64;

    /// One that had no turn would be taken for one whose client is too slow.
    @Test
    void large_answers_get_on_together_where_the_connection_s_window_is_small() throws IOException {
        Map<Integer, Integer> taken = new HashMap<>();
        try (Http2Gateway gateway = Http2Gateway.start();
                Http2Wire client = gateway.wire()) {
            client.frame(SETTINGS, 0, 0, setting(4, BODY));
            for (int i = 0; i < STREAMS; i++) {
                client.get(1 + 2 * i, "/");
                RawConnection upstream = gateway.upstream.accept();
                Thread.ofVirtual().start(() -> answer(upstream));
            }

            begin(client);
            for (int i = 0; i < STEPS; i++) {
                client.frame(WINDOW_UPDATE, 0, 0, number(STEP));
                take(client, taken);
            }
        }

        int share = STEPS * STEP / STREAMS;
        assertThat(taken).hasSize(STREAMS);
        assertThat(taken.values()).as("%s", taken).allMatch(bytes -> bytes > share / 2);
    }

    /// All have their heads, and the window that a connection begins with is used up.
    private static void begin(Http2Wire client) throws IOException {
        int heads = 0;
        int left = FIRST_WINDOW;
        while (heads < STREAMS || left > 0) {
            Http2Wire.Frame frame = client.next();
            if (frame.type() == HEADERS) heads++;
            if (frame.type() == DATA) left -= frame.payload().length();
        }
    }

    private static void answer(RawConnection upstream) {
        try {
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: " + BODY + "\r\n\r\n");
            upstream.send(new byte[BODY]);
        } catch (IOException e) {
            // the test is over
        }
    }

    private static void take(Http2Wire client, Map<Integer, Integer> taken) throws IOException {
        int left = STEP;
        while (left > 0) {
            Http2Wire.Frame data = client.next(DATA);
            int count = data.payload().length();
            taken.merge(data.stream(), count, Integer::sum);
            left -= count;
        }
    }
}
