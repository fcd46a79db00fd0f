package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.BufferPool;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Purse;
import io.undertow.protocols.http2.HpackDecoder;
import io.undertow.protocols.http2.HpackException;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Field sections as a decoder that is not ours reads them.
final class FieldEncoderTest {
    private static final HttpString NAME = new HttpString("X-Name");

    private final FieldEncoder encoder = new FieldEncoder();

    /// @param octets in hexadecimal
    private record Section(int frames, String octets) {}

    private Section response(int status, HeaderMap fields) {
        return sent(output -> encoder.write(output, 1, status, fields, false));
    }

    private Section section(HeaderMap fields) {
        return sent(output -> encoder.write(output, 1, fields, true));
    }

    private interface Writing {
        void to(Output output);
    }

    private static Section sent(Writing writing) {
        var sink = new RecordedSink();
        var budget = new Budget(1 << 20);
        var output = new Output(new BufferPool(1024, 0, 4, budget), new Holding(new Purse(budget)), sink);
        writing.to(output);
        try {
            assertThat(output.flush()).isTrue();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        ByteBuffer frames = ByteBuffer.wrap(sink.taken());
        var octets = new ByteArrayOutputStream();
        int count = 0;
        for (boolean more = true; more; count++) {
            int first = frames.getInt();
            assertThat(first & 0xff).isEqualTo(count == 0 ? Frame.HEADERS : Frame.CONTINUATION);
            more = !Frame.has(frames.get(), Frame.END_HEADERS);
            assertThat(frames.getInt()).isEqualTo(1);
            var payload = new byte[first >>> 8];
            frames.get(payload);
            octets.writeBytes(payload);
        }
        assertThat(frames.hasRemaining()).isFalse();
        return new Section(count, HexFormat.of().formatHex(octets.toByteArray()));
    }

    private static List<String> decoded(Section section) throws HpackException {
        var lines = new ArrayList<String>();
        var decoder = new HpackDecoder();
        decoder.setHeaderEmitter((name, value, _) -> lines.add(name + ": " + value));
        decoder.decode(ByteBuffer.wrap(HexFormat.of().parseHex(section.octets())), false);
        return lines;
    }

    @Test
    void a_response_reads_as_it_was_written() throws HpackException {
        var fields = new HeaderMap();
        fields.put(new HttpString("Date"), "Mon, 21 Oct 2013 20:13:21 GMT");
        fields.put(NAME, "short");
        fields.add(new HttpString("Set-Cookie"), "a=1").add(new HttpString("Set-Cookie"), "b=2; path=/; secure");

        List<String> lines = decoded(response(203, fields));

        assertThat(lines.getFirst()).isEqualTo(":status: 203");
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        ":status: 203",
                        "date: Mon, 21 Oct 2013 20:13:21 GMT",
                        "x-name: short",
                        "set-cookie: a=1",
                        "set-cookie: b=2; path=/; secure");
    }

    @Test
    void pseudo_header_fields_come_first_in_a_request() throws HpackException {
        var fields = new HeaderMap();
        for (String name : List.of("a", "b", "c", "d", "e", "f", "g", "h")) fields.put(new HttpString(name), name);
        fields.put(new HttpString(":path"), "/index.html").put(new HttpString(":method"), "PUT");
        fields.put(new HttpString(":scheme"), "https").put(new HttpString(":authority"), "www.example.com");

        List<String> lines = decoded(section(fields));

        assertThat(lines.subList(0, 4))
                .containsExactlyInAnyOrder(
                        ":path: /index.html", ":method: PUT", ":scheme: https", ":authority: www.example.com");
        assertThat(lines).hasSize(12);
    }

    @ParameterizedTest // RFC 7541 Appendix A, and Appendix C.6.1 for the value that is coded
    @CsvSource({
        ":status, 200, 88",
        ":status, 500, 8e",
        ":status, 302, 0803333032",
        "cache-control, private, 0f090770726976617465",
        "accept-encoding, 'gzip, deflate', 90",
        "www-authenticate, x, 0f2e0178",
        "location, https://www.example.com, 0f1f919d29ad171863c78f0b97c8e9ae82ae43d3",
        "x-name, v, 0006782d6e616d650176"
    })
    void fields_take_the_octets_of_the_specification(String name, String value, String octets) {
        var fields = new HeaderMap().put(new HttpString(name), value);

        assertThat(section(fields).octets()).isEqualTo(octets);
    }

    /// RFC 9113 §8.2.1: who gets one with blanks refuses the message.
    @ParameterizedTest
    @CsvSource({"' a b', a b", "'a b \t', a b", "'\t  a\t', a", "' \t', ''", "'', ''"})
    void blanks_around_a_value_are_no_part_of_it(String value, String sent) throws HpackException {
        assertThat(decoded(section(new HeaderMap().put(NAME, value)))).containsExactly("x-name: " + sent);
    }

    @Test
    void every_octet_of_a_value_is_coded() throws HpackException {
        for (char octet = 0; octet < 256; octet++) {
            if (octet == '\r' || octet == '\n') continue;
            for (int behind = 0; behind < 8; behind++) { // short codes around it: the coded form is the shorter one
                if (behind == 0 && (octet == ' ' || octet == '\t')) continue; // a blank at the end is no part of it
                String value = "e".repeat(12) + octet + "a".repeat(behind);

                Section section = section(new HeaderMap().put(NAME, value));

                assertThat(decoded(section)).containsExactly("x-name: " + value);
                assertThat(section.octets()).hasSizeLessThan(2 * (2 + "x-name".length() + 1 + value.length()));
            }
        }
    }

    @ParameterizedTest // lengths around those where a number takes one byte more
    @ValueSource(ints = {0, 1, 10, 11, 126, 127, 128, 254, 255, 256, 16_509, 16_510, 16_511, 70_000})
    void values_of_any_length_are_whole(int length) throws HpackException {
        for (String octet : List.of("0", "~")) {
            String value = octet.repeat(length);
            Section section = section(new HeaderMap().put(NAME, value));

            assertThat(decoded(section)).containsExactly("x-name: " + value);
            assertThat(section.frames()).isEqualTo(1 + (section.octets().length() / 2 - 1) / Frame.MAX_PAYLOAD);
        }
    }

    @Test
    void a_peer_that_wants_a_smaller_table_is_told_once_that_it_gets_none() throws HpackException {
        var fields = new HeaderMap().put(NAME, "v");
        encoder.tableSize(4096);
        String before = section(fields).octets();

        encoder.tableSize(100);
        Section told = section(fields);
        String after = section(fields).octets();

        assertThat(told.octets()).isEqualTo("20" + before);
        assertThat(decoded(told)).containsExactly("x-name: v");
        assertThat(after).isEqualTo(before);
    }
}
