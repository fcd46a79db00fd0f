package gateway.wire.io;

import gateway.http.HeaderText;
import io.undertow.util.HttpString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Field names (and each one's latest value) that upstreams have sent on this IO thread, by their exact bytes: the next
/// response mostly repeats them, so they need not be made again. Direct-mapped and so bounded.
public final class FieldNames {
    private static final int SLOTS = 1024;
    private static final int LONGEST_KEPT_VALUE = 128;

    private final @Nullable Known[] slots = new Known[SLOTS];

    /// What a field means to a proxy.
    public enum Kind {
        END_TO_END,
        CONTENT_LENGTH,
        TRANSFER_ENCODING,
        CONNECTION,
        HOP_BY_HOP;

        static Kind of(String name) {
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "content-length" -> CONTENT_LENGTH;
                case "transfer-encoding" -> TRANSFER_ENCODING;
                case "connection" -> CONNECTION;
                case "keep-alive", "proxy-connection", "te", "upgrade" -> HOP_BY_HOP;
                default -> END_TO_END;
            };
        }
    }

    public static final class Known {
        private final byte[] bytes;
        private final HttpString name;
        private final Kind kind;
        private byte[] latestBytes = {};
        private String latest = "";

        private Known(byte[] bytes, HttpString name, Kind kind) {
            this.bytes = bytes;
            this.name = name;
            this.kind = kind;
        }

        public HttpString name() {
            return name;
        }

        public Kind kind() {
            return kind;
        }

        /// The value in `head` from `from` to `to`, as text.
        public String value(byte[] head, int from, int to) {
            if (Arrays.equals(latestBytes, 0, latestBytes.length, head, from, to)) return latest;
            String value = new String(head, from, to - from, StandardCharsets.ISO_8859_1);
            if (to - from <= LONGEST_KEPT_VALUE) {
                latestBytes = Arrays.copyOfRange(head, from, to);
                latest = value;
            }
            return value;
        }
    }

    /// The field name in `head` from `from` to `to`; null when it is no token.
    @Nullable
    public Known find(byte[] head, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) hash = hash * 31 + head[i];
        int slot = (hash ^ (hash >>> 10)) & (SLOTS - 1);
        Known known = slots[slot];
        if (known != null && Arrays.equals(known.bytes, 0, known.bytes.length, head, from, to)) return known;
        String name = new String(head, from, to - from, StandardCharsets.ISO_8859_1);
        if (!HeaderText.isToken(name)) return null;
        known = new Known(Arrays.copyOfRange(head, from, to), new HttpString(name), Kind.of(name));
        slots[slot] = known;
        return known;
    }
}
