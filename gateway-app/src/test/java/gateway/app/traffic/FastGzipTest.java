package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FastGzipTest {
    private final FastGzip gzip = new FastGzip();

    @Property(tries = 300)
    void any_bytes_come_back(@ForAll byte[] bytes) throws IOException {
        assertThat(inflated(bytes)).isEqualTo(bytes);
    }

    /// Runs of few different bytes: matches of every length, near and far.
    @Property(tries = 300)
    void repetitive_bytes_come_back(
            @ForAll long seed,
            @ForAll @IntRange(max = 100_000) int length,
            @ForAll @IntRange(min = 1, max = 300) int run)
            throws IOException {
        var random = new Random(seed);
        var bytes = new byte[length];
        for (int at = 0; at < length; ) {
            int end = Math.min(length, at + 1 + random.nextInt(run));
            if (at > 300 && random.nextBoolean()) {
                int from = random.nextInt(at);
                for (; at < end; at++) bytes[at] = bytes[from++];
            } else {
                for (; at < end; at++) bytes[at] = (byte) random.nextInt(256);
            }
        }

        assertThat(inflated(bytes)).isEqualTo(bytes);
    }

    @Test
    void one_byte_over_and_over_shrinks_to_almost_nothing() throws IOException {
        var bytes = new byte[1 << 20];
        Arrays.fill(bytes, (byte) 'x');

        assertThat(inflated(bytes)).isEqualTo(bytes);
        assertThat(gzip.compress(bytes, 0, bytes.length)).isLessThan(bytes.length / 100);
    }

    @Test
    void records_shrink_to_less_than_half() {
        var json = new JsonBytes(1 << 20);
        var encoder = new RecordEncoder("run", "node-1", true);
        for (int i = 0; i < 1000; i++) encoder.write(Records.numbered(i), json);

        assertThat(gzip.compress(json.array(), 0, json.length())).isLessThan(json.length() / 3);
    }

    private byte[] inflated(byte[] bytes) throws IOException {
        var padded = new byte[bytes.length + 7];
        System.arraycopy(bytes, 0, padded, 3, bytes.length);
        int length = gzip.compress(padded, 3, bytes.length);
        try (var stream = new GZIPInputStream(new ByteArrayInputStream(gzip.array(), 0, length))) {
            return stream.readAllBytes();
        }
    }
}
