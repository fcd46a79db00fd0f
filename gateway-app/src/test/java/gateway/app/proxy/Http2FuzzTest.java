package gateway.app.proxy;

import static gateway.app.proxy.Http2Wire.head;
import static gateway.app.proxy.Http2Wire.section;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// Connections of random frames: none makes the gateway fail, and none leaves anything behind.
final class Http2FuzzTest {
    private static final int CONNECTIONS = 400;
    private static final int FRAMES = 25;
    private static final int[] STREAMS = {0, 1, 1, 1, 3, 3, 5, 7, 2, Integer.MAX_VALUE};

    @Test
    void random_frames_break_nothing_and_leave_nothing() throws IOException {
        var random = new Random(42);
        try (RecordingUpstream upstream = new RecordingUpstream();
                Http2Gateway gateway = Http2Gateway.inFrontOf(upstream.url())) {
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Http2Wire client = gateway.wire()) {
                    for (int frame = 0; frame < FRAMES; frame++)
                        client.connection().send(frame(random));
                } catch (IOException e) {
                    // the gateway has ended the connection, as it should most
                }
            }

            assertThat(upstream.faults).isEmpty();
            assertThat(gateway.dataPlane().failedRequests()).isZero();
            assertThat(comesTrue(() -> gateway.dataPlane().connections() == 0)).isTrue();
            assertThat(comesTrue(() -> gateway.dataPlane().requestsInFlight() == 0))
                    .isTrue();
            try (Http2Wire client = gateway.wire()) {
                assertThat(client.get(1, "/x").answer(1).content()).isEqualTo("served GET /x HTTP/1.1");
            }
        }
    }

    private static byte[] frame(Random random) {
        int type = random.nextInt(4) == 0 ? random.nextInt(12) : random.nextInt(2);
        int flags = random.nextInt(3) == 0 ? random.nextInt(64) : Http2Wire.END_HEADERS | random.nextInt(2);
        int stream = STREAMS[random.nextInt(STREAMS.length)];
        byte[] frame = Http2Wire.bytes(type, flags, stream, payload(random, type));
        if (random.nextInt(8) == 0) frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
        return random.nextInt(12) == 0 ? Arrays.copyOf(frame, random.nextInt(frame.length) + 1) : frame;
    }

    private static byte[] payload(Random random, int type) {
        byte[] noise = new byte[random.nextInt(3) == 0 ? random.nextInt(200) : 4 + 2 * random.nextInt(4)];
        random.nextBytes(noise);
        if (type != Http2Wire.HEADERS || random.nextInt(4) == 0) return noise;
        byte[] section = section(head(random.nextBoolean() ? "GET" : "POST", "/" + random.nextInt(9)));
        if (random.nextInt(4) == 0) section[random.nextInt(section.length)] = (byte) random.nextInt();
        return section;
    }

    /// Within ten seconds; a client's end takes a moment to arrive.
    private static boolean comesTrue(BooleanSupplier what) {
        long until = System.nanoTime() + 10_000_000_000L;
        while (!what.getAsBoolean() && System.nanoTime() < until) LockSupport.parkNanos(5_000_000);
        return what.getAsBoolean();
    }
}
