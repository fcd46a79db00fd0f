package gateway.wire.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xnio.conduits.StreamSinkConduit;

final class HeapPiecesTest {
    private static final int PIECE = 64 * 1024;

    private final List<Integer> writes = new ArrayList<>();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private int takes = Integer.MAX_VALUE; // bytes at a time
    private final HeapPieces pieces = new HeapPieces(socket());

    @Test
    void a_large_buffer_of_the_heap_is_written_piece_by_piece() throws IOException {
        byte[] content = content(200_000);
        ByteBuffer source = ByteBuffer.wrap(content);

        while (source.hasRemaining()) pieces.write(source);

        assertThat(written.toByteArray()).isEqualTo(content);
        assertThat(writes).containsExactly(PIECE, PIECE, PIECE, 200_000 - 3 * PIECE);
    }

    @Test
    void a_piece_that_is_taken_in_part_goes_on_where_it_stopped() throws IOException {
        byte[] content = content(100_000);
        ByteBuffer source = ByteBuffer.wrap(content);
        takes = 10_000;

        while (source.hasRemaining()) pieces.write(source);

        assertThat(written.toByteArray()).isEqualTo(content);
    }

    @Test
    void what_lies_behind_a_large_one_waits_for_the_next_time() throws IOException {
        ByteBuffer[] sources = {
            ByteBuffer.wrap(content(10)), ByteBuffer.wrap(content(100_000)), ByteBuffer.wrap(content(20))
        };

        assertThat(pieces.write(sources, 0, 3)).isEqualTo(10 + PIECE);
        assertThat(sources[1].remaining()).isEqualTo(100_000 - PIECE);
        assertThat(pieces.write(sources, 1, 2)).isEqualTo(100_000 - PIECE + 20);
    }

    @Test
    void direct_buffers_pass_whole() throws IOException {
        pieces.write(ByteBuffer.allocateDirect(200_000));

        assertThat(writes).containsExactly(200_000);
    }

    private StreamSinkConduit socket() {
        return (StreamSinkConduit) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {StreamSinkConduit.class}, (_, method, arguments) -> {
                    if (!method.getName().equals("write")) throw new UnsupportedOperationException(method.getName());
                    if (arguments.length == 1) return take((ByteBuffer) arguments[0]);
                    int from = (int) arguments[1];
                    var buffers = Arrays.asList((ByteBuffer[]) arguments[0]).subList(from, from + (int) arguments[2]);
                    return (long) buffers.stream().mapToInt(this::take).sum();
                });
    }

    private int take(ByteBuffer source) {
        int count = Math.min(takes, source.remaining());
        byte[] taken = new byte[count];
        source.get(taken);
        written.writeBytes(taken);
        writes.add(count);
        return count;
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        for (int i = 0; i < length; i++) content[i] = (byte) ((i * 31) >> 3);
        return content;
    }
}
