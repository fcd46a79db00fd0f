package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class AnswerReaderTest {
    private static final String COUNTED = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final String CHUNKED =
            "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0c;x=y\r\nhello\r\nworld\r\n0\r\nA: b\r\n\r\n";
    private static final String LAST =
            "HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    private static final String EMPTY = "HTTP/1.1 204 No Content\r\n\r\n";

    @Property(tries = 300)
    void finds_every_end_however_the_bytes_come(@ForAll @IntRange(min = 1, max = 40) int step) throws IOException {
        for (String answer : new String[] {COUNTED, CHUNKED, LAST, EMPTY}) {
            var reader = new AnswerReader();

            assertThat(ends(reader, answer, step)).isEqualTo(answer.length());
            assertThat(reader.status()).isEqualTo(Integer.parseInt(answer.substring(9, 12)));
            assertThat(reader.isKept()).isEqualTo(!answer.equals(LAST));
        }
    }

    @Test
    void reads_one_answer_after_the_other() throws IOException {
        var reader = new AnswerReader();

        assertThat(ends(reader, CHUNKED, 7)).isEqualTo(CHUNKED.length());
        assertThat(ends(reader, COUNTED, 7)).isEqualTo(COUNTED.length());
        assertThat(reader.status()).isEqualTo(200);
    }

    @Test
    void skips_interim_answers_and_reads_fields_in_any_case() throws IOException {
        var reader = new AnswerReader();
        String answer =
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 404 Not Found\r\nCONTENT-length:2\r\n\r\nno";

        assertThat(ends(reader, answer, 11)).isEqualTo(answer.length());
        assertThat(reader.status()).isEqualTo(404);
    }

    @Test
    void expects_no_content_of_answers_to_head() throws IOException {
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";

        assertThat(ends(new AnswerReader(true), answer, 100)).isEqualTo(answer.length());
    }

    @Test
    void refuses_what_is_no_answer() {
        assertThatThrownBy(() -> ends(new AnswerReader(), "SSH-2.0-OpenSSH_10.0\r\n\r\n", 100))
                .isInstanceOf(IOException.class);
    }

    @Test
    void refuses_an_answer_that_ends_only_with_its_connection() {
        assertThatThrownBy(() -> ends(new AnswerReader(), "HTTP/1.1 200 OK\r\n\r\nhello", 100))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("without Content-Length");
    }

    @Test
    void refuses_a_head_without_end() {
        assertThatThrownBy(() -> ends(new AnswerReader(), "HTTP/1.1 200 OK\r\nA: " + "x".repeat(40_000), 1024))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too long");
    }

    /// How many bytes had been read when the answer ended.
    private static int ends(AnswerReader reader, String answer, int step) throws IOException {
        byte[] bytes = answer.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = 0; at < bytes.length; at += step) {
            int length = Math.min(step, bytes.length - at);
            int read = reader.readFrom(Channels.newChannel(new ByteArrayInputStream(bytes, at, length)));
            assertThat(read).isEqualTo(length);
            if (reader.proceed()) return at + length;
        }
        return -1;
    }
}
