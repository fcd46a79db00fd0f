package gateway.component;

import gateway.http.Body;
import gateway.http.HeldBody;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/// One entry, as bytes among members: they know no class of it.
///
/// @param end from which it is there no longer
/// @param state of its group that it was kept in
/// @param version another one for each time that something is kept
record StoredEntry(Instant end, String state, String version, String contentType, HeldBody body) {
    private static final byte FORM = 1;

    byte[] bytes() {
        byte[] content = body.content();
        byte[] stateText = state.getBytes(StandardCharsets.ISO_8859_1);
        byte[] versionText = version.getBytes(StandardCharsets.ISO_8859_1);
        byte[] typeText = contentType.getBytes(StandardCharsets.ISO_8859_1);
        int head = 1 + Long.BYTES + 3 * Short.BYTES + stateText.length + versionText.length + typeText.length;
        ByteBuffer bytes = ByteBuffer.allocate(head + content.length).put(FORM).putLong(end.toEpochMilli());
        for (byte[] text : new byte[][] {stateText, versionText, typeText})
            bytes.putShort((short) text.length).put(text);
        return bytes.put(content).array();
    }

    /// Empty for what a member of another version has kept.
    static Optional<StoredEntry> read(byte[] stored) {
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        if (bytes.get() != FORM) return Optional.empty();
        Instant end = Instant.ofEpochMilli(bytes.getLong());
        String state = text(bytes);
        String version = text(bytes);
        String contentType = text(bytes);
        byte[] content = new byte[bytes.remaining()];
        bytes.get(content);
        return Optional.of(new StoredEntry(end, state, version, contentType, Body.of(content)));
    }

    private static String text(ByteBuffer bytes) {
        byte[] text = new byte[Short.toUnsignedInt(bytes.getShort())];
        bytes.get(text);
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}
