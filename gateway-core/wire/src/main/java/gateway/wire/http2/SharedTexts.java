package gateway.wire.http2;

import gateway.wire.http1.HeadCost;
import gateway.wire.memory.Holding;
import org.jspecify.annotations.Nullable;

/// The long names and values that heads of one HTTP/2 connection have in common, since the decoder's table gives all of
/// them the same object: each is counted once, for as long as a head has it. Used on the connection's IO thread.
public final class SharedTexts {
    /// Octets from which on a text is looked for; shorter ones are counted with each head.
    static final int LONG = 256;

    private static final int MOST = 16; // a table of 4,096 bytes has room for 14 as long as that

    private final Holding holding;
    private final @Nullable Text[] texts = new Text[MOST];
    private int count;
    private long bytes;

    /// @param holding of the memory for heads
    public SharedTexts(Holding holding) {
        this.holding = holding;
    }

    /// One of them.
    final class Text {
        private final Object object;
        private final long cost;
        private int heads;

        Text(Object object, long cost) {
            this.object = object;
            this.cost = cost;
        }

        /// A head has it no more.
        void leave() {
            if (--heads > 0) return;
            bytes -= cost;
            holding.hold(bytes);
            int at = 0;
            while (texts[at] != this) at++;
            texts[at] = texts[--count];
            texts[count] = null;
        }
    }

    /// One more head, or the same once more, has `object`; null when that head has to count it itself.
    @Nullable
    @SuppressWarnings("ReferenceEquality") // the very object of the table
    Text join(Object object, int octets) {
        for (int i = 0; i < count; i++) {
            Text each = texts[i];
            if (each != null && each.object == object) {
                each.heads++;
                return each;
            }
        }
        long cost = HeadCost.of(octets, 0);
        if (count == MOST || !holding.hold(bytes + cost)) return null;
        bytes += cost;
        var text = new Text(object, cost);
        text.heads = 1;
        texts[count++] = text;
        return text;
    }
}
