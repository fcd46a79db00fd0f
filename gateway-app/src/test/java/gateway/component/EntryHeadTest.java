package gateway.component;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.component.EntryHead.TagState;
import gateway.http.HeaderField;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EntryHeadTest {
    private static final Instant END = Instant.ofEpochMilli(1_000);
    private static final EntryHead PLAIN = new EntryHead(END, "s", "v", "text/plain", List.of(), List.of());

    /// Members of the version before read and write no other.
    @Test
    void without_tags_and_fields_it_is_what_members_of_the_version_before_keep() {
        byte[] before = ByteBuffer.allocate(27)
                .put((byte) 1)
                .putLong(1_000)
                .putShort((short) 1)
                .put((byte) 's')
                .putShort((short) 1)
                .put((byte) 'v')
                .putShort((short) 10)
                .put("text/plain".getBytes(ISO_8859_1))
                .array();

        assertThat(PLAIN.write(0).array()).isEqualTo(before);
        assertThat(EntryHead.read(ByteBuffer.wrap(before))).contains(PLAIN);
    }

    @Test
    void it_comes_back_with_tags_and_fields_and_leaves_the_content() {
        var head = new EntryHead(
                END,
                "s",
                "v",
                "text/plain",
                List.of(new TagState("m", "1"), new TagState("n", "2")),
                List.of(new HeaderField("Entry-A", "é"), new HeaderField("Entry-A", "")));
        ByteBuffer bytes = head.write(3).put(new byte[] {1, 2, 3}).flip();

        assertThat(EntryHead.read(bytes)).contains(head);
        assertThat(bytes.remaining()).isEqualTo(3);
    }

    @Test
    void what_a_later_version_keeps_is_none() {
        byte[] later = PLAIN.write(0).put(0, (byte) 3).array();

        assertThat(EntryHead.read(ByteBuffer.wrap(later))).isEmpty();
    }
}
