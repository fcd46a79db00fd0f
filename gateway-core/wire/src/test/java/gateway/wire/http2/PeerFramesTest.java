package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.wire.io.BufferPool;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Purse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What both sides of HTTP/2 do with frames alike.
final class PeerFramesTest {
    private static final int WINDOW = 1000;
    private static final String RECEIPT = "000000 04 01 00000000";

    private final RecordedSink sink = new RecordedSink();
    private final Purse purse = new Purse(new Budget(1 << 20));
    private final BufferPool buffers = new BufferPool(1024, 0, 4, new Budget(1 << 20));
    private final Output output = new Output(buffers, new Holding(purse), sink);
    private final OpenStreams<Stream> streams = new OpenStreams<>(new Windows(WINDOW));
    private final Stream open = new Stream();
    private final Recorded side = new Recorded();
    private final PeerFrames<Stream> frames = new PeerFrames<>(
            side,
            streams,
            new FrameWriter(output, () -> true, () -> {}),
            new HeadCollector(1000, new Holding(purse)),
            new TokenBucket(50, 0, 0),
            new TokenBucket(50, 0, 0));

    private static final class Stream implements Windows.Stream {
        private long left = 65_535;

        @Override
        public boolean widen(long by) {
            left += by;
            return Windows.mayBe(left);
        }
    }

    /// Says what it was told. Stream 1 is open, 3 is over, others are idle.
    private static final class Recorded implements PeerFrames.Side<Stream> {
        private final List<String> told = new ArrayList<>();

        @Override
        public boolean wasOpened(int id) {
            return id == 1 || id == 3;
        }

        @Override
        public boolean takesFields(int id) {
            return wasOpened(id);
        }

        @Override
        public void fields(int id, ByteBuffer octets, boolean last) {
            var read = new byte[octets.remaining()];
            octets.get(read);
            told.add("fields of " + id + " " + HexFormat.of().formatHex(read) + (last ? ", last" : ""));
        }

        @Override
        public void content(Stream stream, ByteBuffer content, int flow, boolean last) {
            told.add("content " + content.remaining() + " of " + flow + (last ? ", last" : ""));
        }

        @Override
        public void pastMeasure(int id) {
            told.add("past measure " + id);
        }

        @Override
        public void stray(int id, int flow) {
            told.add("stray " + flow);
        }

        @Override
        public void wasReset(Stream stream, int code) {
            told.add("reset " + code);
        }

        @Override
        public void fault(Stream stream, ErrorCode why, String what) {
            told.add("fault " + why);
        }

        @Override
        public void setting(int number, long value) {
            told.add("setting " + number + "=" + value);
        }

        @Override
        public void settled() {
            told.add("settled");
        }

        @Override
        public void wider() {
            told.add("wider");
        }

        @Override
        public void frames(boolean goOn) {
            told.add(goOn ? "read" : "broken");
        }

        @Override
        public void farewell(int last) {
            told.add("farewell " + last);
        }
    }

    @BeforeEach
    void opens() {
        streams.add(1, open);
    }

    /// @param payload in hexadecimal, blanks between its fields
    private PeerFramesTest takes(int type, int flags, int stream, String payload) throws IOException {
        frames.frame(type, flags, stream, ByteBuffer.wrap(octets(payload)));
        return this;
    }

    private PeerFramesTest settled() throws IOException {
        takes(Frame.SETTINGS, 0, 0, "").sent();
        side.told.clear();
        return this;
    }

    private static byte[] octets(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    /// What was sent since the last time.
    private byte[] sent() throws IOException {
        int before = sink.taken().length;
        output.flush();
        byte[] all = sink.taken();
        return Arrays.copyOfRange(all, before, all.length);
    }

    private static void endsTheConnection(ErrorCode code, ThrowingCallable frame) {
        assertThatThrownBy(frame)
                .isInstanceOfSatisfying(
                        Http2Exception.class, end -> assertThat(end.code()).isEqualTo(code));
    }

    @Test
    void nothing_comes_before_the_settings() throws IOException {
        endsTheConnection(ErrorCode.PROTOCOL_ERROR, () -> takes(Frame.PING, 0, 0, "0000000000000000"));
        endsTheConnection(ErrorCode.PROTOCOL_ERROR, () -> takes(Frame.SETTINGS, Frame.ACK, 0, ""));
        assertThat(frames.settled()).isFalse();

        takes(Frame.SETTINGS, 0, 0, "");

        assertThat(frames.settled()).isTrue();
        assertThat(sent()).isEqualTo(octets(RECEIPT));
    }

    @Test
    void the_last_initial_window_of_a_frame_counts_and_changes_open_streams() throws IOException {
        takes(Frame.SETTINGS, 0, 0, "0004 00000001 0004 0000000a");

        assertThat(streams.windows().initial()).isEqualTo(10);
        assertThat(open.left).isEqualTo(10);
        assertThat(side.told).containsExactly("settled");
    }

    @Test
    void settings_that_are_the_same_to_both_sides_are_checked_and_others_told() throws IOException {
        takes(Frame.SETTINGS, 0, 0, "0003 ffffffff 0005 00ffffff 0001 00001000 0002 00000001");

        assertThat(side.told).containsExactly("setting 3=4294967295", "setting 2=1", "settled");
        endsTheConnection(ErrorCode.PROTOCOL_ERROR, () -> takes(Frame.SETTINGS, 0, 0, "0005 00003fff"));
        endsTheConnection(ErrorCode.PROTOCOL_ERROR, () -> takes(Frame.SETTINGS, 0, 0, "0005 01000000"));
        endsTheConnection(ErrorCode.FLOW_CONTROL_ERROR, () -> takes(Frame.SETTINGS, 0, 0, "0004 80000000"));
        endsTheConnection(ErrorCode.FRAME_SIZE_ERROR, () -> takes(Frame.SETTINGS, 0, 0, "0004 0000"));
    }

    @Test
    void an_initial_window_that_is_too_wide_for_an_open_stream_ends_the_connection() throws IOException {
        settled().takes(Frame.WINDOW_UPDATE, 0, 1, "7fff0000");

        endsTheConnection(ErrorCode.FLOW_CONTROL_ERROR, () -> takes(Frame.SETTINGS, 0, 0, "0004 00010000"));
    }

    @Test
    void more_than_32_settings_at_once_end_the_connection() throws IOException {
        settled().takes(Frame.SETTINGS, 0, 0, "0003 00000001".repeat(32));

        endsTheConnection(ErrorCode.ENHANCE_YOUR_CALM, () -> takes(Frame.SETTINGS, 0, 0, "0003 00000001".repeat(33)));
    }

    @Test
    void a_ping_is_answered_and_its_answer_is_not() throws IOException {
        settled().takes(Frame.PING, 0, 0, "0102030405060708").takes(Frame.PING, Frame.ACK, 0, "0000000000000000");

        assertThat(sent()).isEqualTo(octets("000008 06 01 00000000 0102030405060708"));
    }

    @Test
    void windows_are_widened_and_an_update_of_a_stream_that_is_over_is_passed_over() throws IOException {
        settled()
                .takes(Frame.WINDOW_UPDATE, 0, 0, "00000001")
                .takes(Frame.WINDOW_UPDATE, 0, 1, "00000002")
                .takes(Frame.WINDOW_UPDATE, 0, 3, "00000003");

        assertThat(streams.windows().left()).isEqualTo(65_536);
        assertThat(open.left).isEqualTo(65_537);
        assertThat(side.told).containsExactly("wider");
    }

    @Test
    void an_update_that_may_not_be_ends_its_stream_or_the_connection() throws IOException {
        settled().takes(Frame.WINDOW_UPDATE, 0, 1, "00000000").takes(Frame.WINDOW_UPDATE, 0, 1, "7fffffff");

        assertThat(side.told).containsExactly("fault PROTOCOL_ERROR", "fault FLOW_CONTROL_ERROR");
        endsTheConnection(ErrorCode.PROTOCOL_ERROR, () -> takes(Frame.WINDOW_UPDATE, 0, 0, "00000000"));
        endsTheConnection(ErrorCode.FLOW_CONTROL_ERROR, () -> takes(Frame.WINDOW_UPDATE, 0, 0, "7fffffff"));
        endsTheConnection(ErrorCode.PROTOCOL_ERROR, () -> takes(Frame.WINDOW_UPDATE, 0, 5, "00000001"));
    }

    @Test
    void fields_are_told_when_they_are_whole_without_padding_and_priority() throws IOException {
        int first = Frame.END_STREAM | Frame.PADDED | Frame.PRIORITIZED;
        settled().takes(Frame.HEADERS, first, 1, "02 0000000000 8182 0000");
        assertThat(side.told).isEmpty();
        endsTheConnection(ErrorCode.PROTOCOL_ERROR, () -> takes(Frame.PING, 0, 0, "0000000000000000"));

        takes(Frame.CONTINUATION, Frame.END_HEADERS, 1, "83");

        assertThat(side.told).containsExactly("fields of 1 818283, last");
    }

    @Test
    void content_takes_the_window_with_its_padding_and_is_told_without() throws IOException {
        settled()
                .takes(Frame.DATA, Frame.PADDED | Frame.END_STREAM, 1, "01 ffff 00")
                .takes(Frame.DATA, 0, 3, "ffffff");

        assertThat(side.told).containsExactly("content 2 of 4, last", "stray 3");
        endsTheConnection(ErrorCode.FLOW_CONTROL_ERROR, () -> takes(Frame.DATA, 0, 1, "00".repeat(WINDOW - 6)));
    }

    @Test
    void the_connection_is_credited_with_what_was_consumed() throws IOException {
        settled().takes(Frame.DATA, 0, 1, "00".repeat(WINDOW));

        frames.consumed(WINDOW);

        assertThat(sent()).isEqualTo(octets("000004 08 00 00000000 000003e8"));
        takes(Frame.DATA, 0, 1, "00".repeat(WINDOW));
    }

    @Test
    void frames_without_content_are_bounded_be_they_padded_or_not() throws IOException {
        settled();
        for (int i = 0; i < 24; i++) takes(Frame.DATA, 0, 1, "").takes(Frame.DATA, Frame.PADDED, 1, "02 0000");
        takes(Frame.DATA, 0, 1, "00")
                .takes(Frame.DATA, Frame.END_STREAM, 1, "")
                .takes(Frame.PRIORITY, 0, 1, "0000000000");

        endsTheConnection(ErrorCode.ENHANCE_YOUR_CALM, () -> takes(Frame.DATA, Frame.PADDED, 1, "02 0000"));
    }

    @Test
    void resets_are_told_once() throws IOException {
        settled().takes(Frame.RST_STREAM, 0, 1, "00000008").takes(Frame.RST_STREAM, 0, 3, "00000008");

        assertThat(side.told).containsExactly("reset 8");
        endsTheConnection(ErrorCode.PROTOCOL_ERROR, () -> takes(Frame.RST_STREAM, 0, 5, "00000008"));
    }

    @Test
    void a_farewell_says_which_stream_was_the_last() throws IOException {
        settled().takes(Frame.GOAWAY, 0, 0, "80000003 00000000 6869");

        assertThat(side.told).containsExactly("farewell 3");
        endsTheConnection(ErrorCode.FRAME_SIZE_ERROR, () -> takes(Frame.GOAWAY, 0, 0, "00000003"));
    }
}
