package gateway.component;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Keys and values as Hazelcast serialises them, byte for byte. It keeps buffers for each thread that has it do so: as
/// many as there are requests, of which each has a thread of its own.
final class MemberData {
    private static final int HEAD = 3 * Integer.BYTES;

    private MemberData() {}

    static Data text(String text) {
        return data(0, SerializationConstants.CONSTANT_TYPE_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /// In the partition of its group.
    static Data key(EntryPlace place) {
        byte[] text = place.partitioned().getBytes(StandardCharsets.UTF_8);
        return data(text(place.group()).getPartitionHash(), SerializationConstants.CONSTANT_TYPE_STRING, text);
    }

    static Data bytes(byte[] content) {
        return data(0, SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY, content);
    }

    /// What [#bytes] or [#text] was made of.
    static ByteBuffer content(Data data) {
        byte[] bytes = data.toByteArray();
        return ByteBuffer.wrap(bytes, HEAD, bytes.length - HEAD).slice();
    }

    private static Data data(int partitionHash, int type, byte[] content) {
        return new HeapData(ByteBuffer.allocate(HEAD + content.length)
                .putInt(partitionHash)
                .putInt(type)
                .putInt(content.length)
                .put(content)
                .array());
    }
}
