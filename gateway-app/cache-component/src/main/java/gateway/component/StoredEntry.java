package gateway.component;

import gateway.http.Body;
import gateway.http.HeldBody;
import java.nio.ByteBuffer;
import java.util.Optional;

/// One entry, as bytes among members: they know no class of it.
record StoredEntry(EntryHead head, HeldBody body) {
    byte[] bytes() {
        byte[] content = body.content();
        return head.write(content.length).put(content).array();
    }

    /// Empty for what a member of another version has kept.
    static Optional<StoredEntry> read(byte[] stored) {
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        return EntryHead.read(bytes).map(head -> {
            byte[] content = new byte[bytes.remaining()];
            bytes.get(content);
            return new StoredEntry(head, Body.of(content));
        });
    }
}
