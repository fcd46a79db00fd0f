package gateway.wire.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameBordersTest {
    private static final int TEXT = 0x81;
    private static final int CLOSE = 0x88;

    private final FrameBorders borders = new FrameBorders();

    /// A frame with so much content, every octet of which would say close.
    private static byte[] frame(int first, int length, boolean masked) {
        var octets = new ByteArrayOutputStream();
        int mask = masked ? 0x80 : 0;
        octets.write(first);
        if (length < 126) {
            octets.write(mask | length);
        } else if (length < 65536) {
            octets.write(mask | 126);
            octets.writeBytes(ByteBuffer.allocate(2).putShort((short) length).array());
        } else {
            octets.write(mask | 127);
            octets.writeBytes(ByteBuffer.allocate(8).putLong(length).array());
        }
        if (masked) octets.writeBytes(new byte[] {(byte) CLOSE, 1, (byte) CLOSE, 1});
        for (int i = 0; i < length; i++) octets.write(CLOSE);
        return octets.toByteArray();
    }

    private static ByteBuffer frames(byte[]... several) {
        var octets = new ByteArrayOutputStream();
        for (byte[] frame : several) octets.writeBytes(frame);
        return ByteBuffer.wrap(octets.toByteArray());
    }

    @ParameterizedTest
    @CsvSource({
        "0, false",
        "0, true",
        "1, true",
        "125, false",
        "125, true",
        "126, false",
        "126, true",
        "65535, true",
        "65536, false",
        "70000, true"
    })
    void knows_the_end_of_a_frame_however_it_comes(int length, boolean masked) {
        ByteBuffer bytes = frames(frame(TEXT, length, masked), frame(TEXT, 3, masked));
        int first = bytes.limit() - frame(TEXT, 3, masked).length;

        for (int piece : new int[] {1, 2, 3, 7, 100, 1 << 20}) {
            var fresh = new FrameBorders();
            for (int at = 0; at < first; at += piece) {
                int to = Math.min(first, at + piece);
                assertThat(fresh.end(bytes, at, bytes.limit())).isEqualTo(first);
                fresh.follow(bytes, at, to);
                assertThat(fresh.between()).as("at " + to).isEqualTo(to == first);
            }
            fresh.follow(bytes, first, bytes.limit());
            assertThat(fresh.between()).isTrue();
            assertThat(fresh.closed()).isFalse();
        }
    }

    @Test
    void stands_between_frames_before_the_first() {
        assertThat(borders.between()).isTrue();
    }

    @Test
    void many_frames_at_once_end_where_the_last_does() {
        ByteBuffer bytes = frames(frame(TEXT, 5, true), frame(TEXT, 300, true), frame(TEXT, 0, true), new byte[] {1});

        borders.follow(bytes, 0, bytes.limit() - 1);
        assertThat(borders.between()).isTrue();
        borders.follow(bytes, bytes.limit() - 1, bytes.limit());
        assertThat(borders.between()).isFalse();
    }

    @Test
    void an_end_that_has_not_come_is_the_end_of_what_has() {
        ByteBuffer bytes = frames(frame(TEXT, 1000, true));

        assertThat(borders.end(bytes, 0, 20)).isEqualTo(20);
        assertThat(borders.between()).isTrue();
    }

    @Test
    void a_close_frame_is_noticed() {
        ByteBuffer bytes = frames(frame(TEXT, 2, false), frame(CLOSE, 2, false));

        borders.follow(bytes, 0, 4);
        assertThat(borders.closed()).isFalse();
        borders.follow(bytes, 4, bytes.limit());
        assertThat(borders.closed()).isTrue();
        assertThat(borders.between()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
    void a_length_past_all_measure_has_no_end(long length) {
        ByteBuffer bytes = ByteBuffer.allocate(1000);
        bytes.put((byte) TEXT).put((byte) 127).putLong(length);

        borders.follow(bytes, 0, 1000);
        assertThat(borders.between()).isFalse();
    }
}
