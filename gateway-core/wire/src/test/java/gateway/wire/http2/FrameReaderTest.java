package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.wire.io.BufferPool;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Purse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class FrameReaderTest {
    private static final int BUFFER = 34 * 1024;

    private static final long NEVER = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
    private static final long NOW = System.nanoTime();

    private final Holding holding = new Holding(new Purse(new Budget(20_000)));
    private final BufferPool pool = new BufferPool(BUFFER, 0, 4, new Budget(1 << 20));
    private final FrameReader reader = FrameReader.ofServer(pool, holding);
    private final RecordedSource source = new RecordedSource();
    private final Told told = new Told();

    /// What was told, the octets of payloads only once their read is over.
    private static final class Told implements FrameReader.Receiver {
        private final List<String> frames = new ArrayList<>();
        private final List<ByteBuffer> payloads = new ArrayList<>();
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        @Override
        public void frame(int type, int flags, int stream, ByteBuffer payload) {
            frames.add(type + " " + flags + " " + stream + " " + payload.remaining());
            payloads.add(payload.slice());
        }

        @Override
        public void frames(boolean goOn) {
            for (ByteBuffer payload : payloads) while (payload.hasRemaining()) content.write(payload.get());
            payloads.clear();
        }
    }

    private static byte[] frame(int length) {
        var frame = ByteBuffer.allocate(Frame.HEADER_BYTES + length);
        frame.putInt(length << 8 | Frame.DATA).put((byte) 0).putInt(1);
        while (frame.hasRemaining()) frame.put((byte) frame.position());
        return frame.array();
    }

    @Test
    void whole_frames_leave_nothing_behind() throws IOException {
        byte[] frame = frame(100);
        source.comes(frame, 0, frame.length);
        reader.read(source, told, NEVER);
        reader.rest();

        assertThat(told.frames).containsExactly("0 0 1 100");
        assertThat(reader.inFrame()).isFalse();
        assertThat(holding.bytes()).isZero();
    }

    @Test
    void part_of_a_frame_takes_its_own_size() throws IOException {
        source.comes(frame(100), 0, 3);
        reader.read(source, told, NEVER);
        reader.rest();

        assertThat(reader.inFrame()).isTrue();
        assertThat(holding.bytes()).isEqualTo(3 + 16);
        reader.release();
        assertThat(holding.bytes()).isZero();
    }

    @Test
    void part_of_a_frame_that_there_is_no_memory_for_ends_the_connection() throws IOException {
        var poor = FrameReader.ofServer(pool, new Holding(new Purse(new Budget(50))));
        source.comes(frame(100), 0, 80);
        poor.read(source, told, NEVER);

        assertThatThrownBy(poor::rest)
                .isInstanceOfSatisfying(
                        Http2Exception.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM));
    }

    @Test
    void no_buffer_to_read_into_is_as_if_the_connection_broke() {
        pool.close();

        assertThatThrownBy(() -> reader.read(source, told, NEVER)).isInstanceOf(IOException.class);
    }

    @Test
    void what_is_past_its_time_is_handed_on_by_the_next_read_and_held_until_then() throws IOException {
        byte[] both =
                ByteBuffer.allocate(109 + 59).put(frame(100)).put(frame(50)).array();
        source.comes(both, 0, both.length);
        reader.read(source, told, NOW);
        boolean stopped = reader.stopped();
        reader.rest();

        assertThat(told.frames).containsExactly("0 0 1 100");
        assertThat(stopped).isTrue();
        assertThat(holding.bytes()).isEqualTo(59 + 16);

        assertThat(reader.read(source, told, NOW)).isPositive();
        reader.rest();

        assertThat(told.frames).containsExactly("0 0 1 100", "0 0 1 50");
        assertThat(reader.stopped()).isFalse();
        assertThat(holding.bytes()).isZero();
    }

    @Property
    void cuts_the_same_frames_wherever_what_comes_is_cut(
            @ForAll @Size(max = 8) List<@IntRange(max = Frame.MAX_PAYLOAD) Integer> lengths,
            @ForAll @IntRange(min = 1, max = 20_000) int piece,
            @ForAll @IntRange(min = 1, max = 4) int readsAtOnce,
            @ForAll boolean over)
            throws IOException {
        var all = new ByteArrayOutputStream();
        var content = new ByteArrayOutputStream();
        for (int length : lengths) {
            byte[] frame = frame(length);
            all.writeBytes(frame);
            content.write(frame, Frame.HEADER_BYTES, length);
        }
        var arrivals = new RecordedSource();
        byte[] sent = all.toByteArray();
        for (int at = 0; at < sent.length; at += piece) arrivals.comes(sent, at, Math.min(piece, sent.length - at));
        var held = new Holding(new Purse(new Budget(BUFFER + 16)));
        var cutter = FrameReader.ofServer(new BufferPool(BUFFER, 0, 4, new Budget(1 << 20)), held);
        var cut = new Told();

        while (!arrivals.isEmpty() || cutter.stopped()) {
            for (int i = 0; i < readsAtOnce; i++) cutter.read(arrivals, cut, over ? NOW : NEVER);
            cutter.rest();
        }

        assertThat(cut.frames)
                .isEqualTo(lengths.stream().map(length -> "0 0 1 " + length).toList());
        assertThat(cut.content.toByteArray()).isEqualTo(content.toByteArray());
        assertThat(held.bytes()).isZero();
    }
}
