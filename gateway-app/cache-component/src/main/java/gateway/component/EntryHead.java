package gateway.component;

import gateway.http.HeaderField;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What stands before the content of an entry.
///
/// @param end from which it is there no longer
/// @param state of its group that it was kept in
/// @param version another one for each time that something is kept
/// @param tags that it has, each in the state that it was kept in
/// @param fields that are given back as they came
record EntryHead(
        Instant end, String state, String version, String contentType, List<TagState> tags, List<HeaderField> fields) {
    /// Without tags and fields, which older members read.
    private static final byte PLAIN = 1;

    private static final byte FULL = 2;

    EntryHead {
        tags = List.copyOf(tags);
        fields = List.copyOf(fields);
    }

    /// A tag of a group.
    ///
    /// @param mark that stands for it ([EntryPlace#mark])
    record TagState(String mark, String state) {}

    /// Itself, with room for content behind it.
    ByteBuffer write(int contentLength) {
        boolean isPlain = tags.isEmpty() && fields.isEmpty();
        var texts = new ArrayList<byte[]>();
        for (String text : new String[] {state, version, contentType}) texts.add(bytes(text));
        for (TagState tag : tags) {
            texts.add(bytes(tag.mark()));
            texts.add(bytes(tag.state()));
        }
        for (HeaderField field : fields) {
            texts.add(bytes(field.name()));
            texts.add(bytes(field.value()));
        }
        int length = 1 + Long.BYTES + (isPlain ? 0 : 2);
        for (byte[] text : texts) length += Short.BYTES + text.length;
        ByteBuffer bytes = ByteBuffer.allocate(length + contentLength)
                .put(isPlain ? PLAIN : FULL)
                .putLong(end.toEpochMilli());
        if (!isPlain) bytes.put((byte) tags.size()).put((byte) fields.size());
        for (byte[] text : texts) bytes.putShort((short) text.length).put(text);
        return bytes;
    }

    /// Reads as far as the content; empty for what a member of another version has kept.
    static Optional<EntryHead> read(ByteBuffer bytes) {
        byte form = bytes.get();
        if (form != PLAIN && form != FULL) return Optional.empty();
        Instant end = Instant.ofEpochMilli(bytes.getLong());
        int tagCount = form == PLAIN ? 0 : bytes.get();
        int fieldCount = form == PLAIN ? 0 : bytes.get();
        String state = text(bytes);
        String version = text(bytes);
        String contentType = text(bytes);
        List<TagState> tags = List.of();
        if (tagCount > 0) {
            tags = new ArrayList<>(tagCount);
            for (int i = 0; i < tagCount; i++) tags.add(new TagState(text(bytes), text(bytes)));
        }
        List<HeaderField> fields = List.of();
        if (fieldCount > 0) {
            fields = new ArrayList<>(fieldCount);
            for (int i = 0; i < fieldCount; i++) fields.add(new HeaderField(text(bytes), text(bytes)));
        }
        return Optional.of(new EntryHead(end, state, version, contentType, tags, fields));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(ByteBuffer bytes) {
        byte[] text = new byte[Short.toUnsignedInt(bytes.getShort())];
        bytes.get(text);
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}
