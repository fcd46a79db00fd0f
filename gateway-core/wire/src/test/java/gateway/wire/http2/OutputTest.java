package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.io.BufferPool;
import gateway.wire.memory.Budget;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Purse;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class OutputTest {
    private static final int BUFFER = 1024;

    private final Counted pool = new Counted();
    private final RecordedSink sink = new RecordedSink();
    private final Holding holding = new Holding(new Purse(new Budget(100_000)));
    private final Output output = new Output(pool, holding, sink);

    @Test
    void the_little_that_a_full_socket_leaves_over_needs_no_buffer() throws IOException {
        sink.takes(100);
        put(output, 150);

        assertThat(output.flush()).isFalse();
        assertThat(pool.lent()).isZero();
        assertThat(holding.bytes()).isBetween(50L, 250L);
        sink.takes(1000);
        assertThat(output.flush()).isTrue();
        assertThat(sink.taken()).hasSize(150);
        assertThat(holding.bytes()).isZero();
    }

    @Test
    void much_that_a_full_socket_leaves_over_stays_where_it_is() throws IOException {
        sink.takes(100);
        put(output, 3000);

        assertThat(output.flush()).isFalse();
        assertThat(pool.lent()).isEqualTo(3);
        assertThat(holding.bytes()).isZero();
    }

    @Test
    void frames_by_the_thousand_that_a_full_socket_leaves_over_cost_little_each() throws IOException {
        sink.takes(0);
        for (int i = 0; i < 4000; i++) {
            put(output, 17);
            output.flush();
        }

        assertThat(output.unsent()).isEqualTo(68_000);
        assertThat(holding.bytes() + (long) pool.lent() * BUFFER).isLessThan(75_000);
        output.release();
        assertThat(holding.bytes()).isZero();
        assertThat(pool.lent()).isZero();
    }

    @Test
    void without_memory_for_what_is_left_over_it_is_lost() throws IOException {
        sink.takes(0);
        for (int i = 0; i < 100_000 && !output.isLost(); i++) {
            put(output, 17);
            output.flush();
        }

        assertThat(output.isLost()).isTrue();
        assertThat(holding.bytes()).isZero();
        assertThat(pool.lent()).isZero();
    }

    @Test
    void without_a_buffer_it_is_lost_and_nobody_is_thrown_at() throws IOException {
        pool.close();
        output.begin(Frame.DATA, 0, 1, 40_000);
        output.put(ByteBuffer.allocate(40_000), 40_000);
        output.put(1).put(1, 2);

        assertThat(output.isLost()).isTrue();
        output.flush();
        assertThat(sink.taken()).isEmpty();
    }

    @Test
    void the_last_frame_of_content_is_marked_while_it_is_here() throws IOException {
        output.begin(Frame.DATA, 0, 1, 1);
        output.put(ByteBuffer.allocate(1), 1);
        assertThat(output.endLast(3)).isFalse();
        assertThat(output.endLast(1)).isTrue();
        output.flush();

        assertThat(output.endLast(1)).isFalse();
        assertThat(sink.taken()[4]).isEqualTo((byte) Frame.END_STREAM);
    }

    @Property
    void what_is_appended_is_sent_in_order_however_little_the_socket_takes(@ForAll @Size(max = 80) int[] steps)
            throws IOException {
        var lent = new Counted();
        var slow = new RecordedSink();
        var held = new Holding(new Purse(new Budget(1 << 30)));
        var sent = new Output(lent, held, slow);
        var appended = new ByteArrayOutputStream();

        for (int step : steps) {
            byte[] more = new byte[Math.floorMod(step, 2500)];
            for (int i = 0; i < more.length; i++) more[i] = (byte) (step + i);
            appended.writeBytes(more);
            sent.put(ByteBuffer.wrap(more), more.length);
            slow.takes(Math.floorMod(step >> 8, 3000));
            if (step % 2 == 0) sent.flush();
            assertThat(sent.unsent()).isEqualTo(appended.size() - slow.taken().length);
        }
        slow.takes(Integer.MAX_VALUE);
        assertThat(sent.flush()).isTrue();

        assertThat(slow.taken()).isEqualTo(appended.toByteArray());
        assertThat(held.bytes()).isZero();
        assertThat(lent.lent()).isZero();
    }

    private static void put(Output output, int bytes) {
        output.put(ByteBuffer.allocate(bytes), bytes);
    }

    /// How many of its buffers are lent.
    private static final class Counted implements ByteBufferPool {
        private final BufferPool pool = new BufferPool(BUFFER, 0, 4, new Budget(1 << 20));
        private int lent;

        int lent() {
            return lent;
        }

        @Override
        public PooledByteBuffer allocate() {
            var buffer = pool.allocate();
            lent++;
            return new PooledByteBuffer() {
                @Override
                public ByteBuffer getBuffer() {
                    return buffer.getBuffer();
                }

                @Override
                public void close() {
                    if (buffer.isOpen()) lent--;
                    buffer.close();
                }

                @Override
                public boolean isOpen() {
                    return buffer.isOpen();
                }
            };
        }

        @Override
        public ByteBufferPool getArrayBackedPool() {
            return pool.getArrayBackedPool();
        }

        @Override
        public void close() {
            pool.close();
        }

        @Override
        public int getBufferSize() {
            return BUFFER;
        }

        @Override
        public boolean isDirect() {
            return true;
        }
    }
}
