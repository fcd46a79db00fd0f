package gateway.wire.tls;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/// As much of DER (X.690) as keys in older forms need to be put into PKCS#8.
final class Der {
    static final int INTEGER = 0x02;
    static final int OCTETS = 0x04;
    static final int SEQUENCE = 0x30;

    private Der() {}

    /// One value with its tag and length; the parts of its content in order.
    static byte[] of(int tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        byte[] head = head(tag, length);
        ByteBuffer value = ByteBuffer.allocate(head.length + length).put(head);
        for (byte[] part : parts) value.put(part);
        return value.array();
    }

    private static byte[] head(int tag, int length) {
        if (length < 0x80) return new byte[] {(byte) tag, (byte) length};
        if (length < 0x100) return new byte[] {(byte) tag, (byte) 0x81, (byte) length};
        return new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
    }

    /// The content of the first part of a sequence that has this tag; empty when it has none or is broken.
    static Optional<byte[]> part(byte[] sequence, int tag) {
        ByteBuffer bytes = ByteBuffer.wrap(sequence);
        if (bytes.remaining() < 2 || bytes.get() != SEQUENCE) return Optional.empty();
        int end = length(bytes);
        if (end < 0 || end > bytes.remaining()) return Optional.empty();
        while (bytes.remaining() >= 2) {
            int found = bytes.get() & 0xff;
            int length = length(bytes);
            if (length < 0 || length > bytes.remaining()) return Optional.empty();
            byte[] content = new byte[length];
            bytes.get(content);
            if (found == tag) return Optional.of(content);
        }
        return Optional.empty();
    }

    private static int length(ByteBuffer bytes) {
        int first = bytes.get() & 0xff;
        if (first < 0x80) return first;
        int octets = first & 0x7f;
        if (octets == 0 || octets > 3 || octets > bytes.remaining()) return -1;
        int length = 0;
        for (int i = 0; i < octets; i++) length = (length << 8) | (bytes.get() & 0xff);
        return length;
    }
}
