package gateway.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientHelloTest {
    @Property
    void one_in_records_of_any_size_is_unfinished_up_to_its_last_byte(
            @ForAll @IntRange(max = 600) int length,
            @ForAll @Size(min = 1, max = 4) int[] sizes,
            @ForAll @IntRange(max = 10) int rest) {
        byte[] hello = records(message(1, length), sizes);
        byte[] all = concatenated(hello, new byte[rest]);

        assertThat(ClientHello.isUnfinished(ByteBuffer.wrap(all))).isFalse();
        for (int i = 0; i < hello.length; i++) {
            assertThat(ClientHello.isUnfinished(ByteBuffer.wrap(all, 0, i)))
                    .as("%d of %d bytes", i, hello.length)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "47 45 54 20 2f", // HTTP
                "15 03 01 00 02 02 28", // an alert
                "16 02", // no version of TLS
                "16 03 01 00 00", // an empty record
                "16 03 01 40 01", // a record longer than may be
                "16 03 01 00 01 02", // another message
                "16 03 01 00 01 01 17 03 01 00 01 00" // other content in the midst of it
            })
    void what_begins_otherwise_is_not_waited_for(String bytes) {
        byte[] received = HexFormat.ofDelimiter(" ").parseHex(bytes);

        assertThat(ClientHello.isUnfinished(ByteBuffer.wrap(received))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"15", "15 03 01 00 02 02", "16 03 01 02 00 02", "16 03 01 00 01 01 17"})
    void a_record_of_another_kind_is_waited_for_until_it_is_whole(String bytes) {
        byte[] received = HexFormat.ofDelimiter(" ").parseHex(bytes);

        assertThat(ClientHello.isUnfinished(ByteBuffer.wrap(received))).isTrue();
    }

    @Test
    void its_position_in_the_buffer_does_not_matter_and_stays() {
        byte[] hello = records(message(1, 40), new int[] {10});
        ByteBuffer buffer =
                ByteBuffer.wrap(concatenated(new byte[] {1, 2, 3}, hello)).position(3);

        assertThat(ClientHello.isUnfinished(buffer)).isFalse();
        assertThat(ClientHello.isUnfinished(buffer.slice(3, 20))).isTrue();
        assertThat(buffer.position()).isEqualTo(3);
    }

    private static byte[] message(int type, int length) {
        return ByteBuffer.allocate(4 + length).putInt((type << 24) | length).array();
    }

    private static byte[] records(byte[] message, int[] sizes) {
        var records = new ByteArrayOutputStream();
        int turn = 0;
        for (int at = 0; at < message.length; ) {
            int size = Math.min(message.length - at, 1 + Math.floorMod(sizes[turn++ % sizes.length], 200));
            records.writeBytes(new byte[] {22, 3, 1, (byte) (size >> 8), (byte) size});
            records.write(message, at, size);
            at += size;
        }
        return records.toByteArray();
    }

    private static byte[] concatenated(byte[] one, byte[] two) {
        return ByteBuffer.allocate(one.length + two.length).put(one).put(two).array();
    }
}
