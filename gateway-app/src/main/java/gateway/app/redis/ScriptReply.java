package gateway.app.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a script answered, arrays flattened: either whole numbers only or texts only.
abstract sealed class ScriptReply extends CommandOutput<String, String, Object> {
    private ScriptReply() {
        super(StringCodec.UTF8, List.of());
    }

    /// Whole numbers, kept without boxing.
    static final class Numbers extends ScriptReply {
        private long[] found = new long[12];
        private int size;

        long at(int index) {
            if (index >= size) throw new IllegalStateException("answer of " + size + " numbers, asked for " + index);
            return found[index];
        }

        int size() {
            return size;
        }

        @Override
        public void set(long integer) {
            if (size == found.length) found = Arrays.copyOf(found, size * 2);
            found[size++] = integer;
        }

        @Override
        public void set(@Nullable ByteBuffer bytes) {
            set(-1); // nil
        }
    }

    /// Bytes as they lie in Redis; none may be nil.
    static final class Blobs extends ScriptReply {
        private final List<byte[]> found = new ArrayList<>(2);

        byte[] at(int index) {
            return found.get(index);
        }

        int size() {
            return found.size();
        }

        @Override
        public void set(@Nullable ByteBuffer bytes) {
            byte[] copy = new byte[bytes == null ? 0 : bytes.remaining()];
            if (bytes != null) bytes.get(copy);
            found.add(copy);
        }
    }

    /// Texts; a nil stands as `null`.
    static final class Texts extends ScriptReply {
        private final List<@Nullable String> found = new ArrayList<>();

        List<@Nullable String> all() {
            return found;
        }

        String at(int index) {
            String text = found.get(index);
            if (text == null) throw new IllegalStateException("answer has nil at " + index);
            return text;
        }

        int size() {
            return found.size();
        }

        @Override
        public void set(long integer) {
            found.add(Long.toString(integer));
        }

        @Override
        public void set(@Nullable ByteBuffer bytes) {
            found.add(bytes == null ? null : decodeString(bytes));
        }
    }
}
