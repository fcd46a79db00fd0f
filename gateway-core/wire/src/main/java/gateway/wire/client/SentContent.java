package gateway.wire.client;

import gateway.http.PassingBody;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.channels.StreamSourceChannel;

/// The body of a request as its client sends it.
public interface SentContent {
    /// No client sends one.
    SentContent NONE = new SentContent() {
        @Override
        public @Nullable StreamSourceChannel streaming() {
            return null;
        }

        @Override
        public long length() {
            return 0;
        }

        @Override
        public long limit() {
            return Long.MAX_VALUE;
        }

        @Override
        public void received(ByteBuffer from, int start, int count) {}

        @Override
        public boolean continueDue() {
            return false;
        }
    };

    /// The client's own content; null when it was replaced, held or never there.
    @Nullable
    StreamSourceChannel streaming();

    /// The policies that stand on the way of what streams; null: none.
    default @Nullable PassingBody passing() {
        return null;
    }

    /// Whether something that the gateway made is sent instead.
    default boolean isReplaced() {
        return false;
    }

    /// Bytes that the client has announced; 0 when it sends none, -1 when chunked.
    long length();

    /// Most bytes that may pass.
    long limit();

    /// Hands out what was read of it before it streams on, of which note was taken; answers how much: 0 when nothing
    /// is left of that.
    default int early(ByteBuffer into) {
        return 0;
    }

    /// Takes note of bytes that have arrived: `count` of them in `from` at `start`.
    void received(ByteBuffer from, int start, int count);

    /// Whether the client waits for `100 Continue`.
    boolean continueDue();

    /// Waits for a small body whose length is known, so that the upstream is asked once it is whole. On the request
    /// thread.
    default void gather() {}

    /// Nothing is here, and whoever reads has nothing else to do than to wait for the client; `late` is run when that
    /// takes too long.
    default void awaits(Runnable late) {}

    /// More is here, or the reader does not wait any longer.
    default void awaitsNot() {}
}
