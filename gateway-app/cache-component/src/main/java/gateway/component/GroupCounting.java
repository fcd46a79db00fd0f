package gateway.component;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;
import gateway.component.EntryHead.TagState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Counts what of a group is found, at the member that has it: what has ended or is forgotten may lie there still.
/// The thread of the partition goes through all of its entries meanwhile, and does nothing else.
final class GroupCounting extends Operation
        implements PartitionAwareOperation, ReadonlyOperation, IdentifiedDataSerializable {
    static final int FACTORY = 1;
    static final DataSerializableFactory MADE = type -> new GroupCounting("", 0);

    private String group;
    private long now;
    private final long[] counted = new long[3]; // entries, hits, bytes of content
    private final Map<String, Optional<String>> tagStates = new HashMap<>(); // by mark, each looked up once

    GroupCounting(String group, long now) {
        this.group = group;
        this.now = now;
    }

    @Override
    public void run() {
        RecordStore<?> entries = store(MemberConfig.ENTRIES);
        RecordStore<?> states = store(MemberConfig.STATES);
        if (entries == null || states == null) return;
        String state = text(states.getRecordOrNull(MemberData.text(group), false));
        if (state == null) return;
        byte[] end = ('@' + group).getBytes(StandardCharsets.UTF_8);
        entries.forEach(
                (key, record) -> {
                    if (endsWith(key.toByteArray(), end)) count(record, state, states);
                },
                false,
                false);
    }

    private void count(Record<?> record, String state, RecordStore<?> states) {
        ByteBuffer bytes = MemberData.content((Data) record.getValue());
        Optional<EntryHead> head = EntryHead.read(bytes);
        if (head.isEmpty() || !isFound(head.get(), state, states)) return;
        counted[0]++;
        counted[1] += Math.max(0, record.getHits() - record.getVersion()); // of which each later write is one too
        counted[2] += bytes.remaining();
    }

    private boolean isFound(EntryHead head, String groupState, RecordStore<?> states) {
        if (!head.state().equals(groupState) || !Instant.ofEpochMilli(now).isBefore(head.end())) return false;
        for (TagState tag : head.tags()) {
            Optional<String> state = tagStates.computeIfAbsent(tag.mark(), mark -> stateOfTag(mark, states));
            if (!state.equals(Optional.of(tag.state()))) return false;
        }
        return true;
    }

    private Optional<String> stateOfTag(String mark, RecordStore<?> states) {
        Data key = MemberData.key(new EntryPlace(group, mark));
        return Optional.ofNullable(text(states.getRecordOrNull(key, false)));
    }

    private @Nullable RecordStore<?> store(String map) {
        MapService maps = getService();
        return maps.getMapServiceContext().getExistingRecordStore(getPartitionId(), map);
    }

    private static @Nullable String text(@Nullable Record<?> record) {
        if (record == null) return null;
        return StandardCharsets.UTF_8
                .decode(MemberData.content((Data) record.getValue()))
                .toString();
    }

    private static boolean endsWith(byte[] bytes, byte[] end) {
        int from = bytes.length - end.length;
        return from >= 0 && Arrays.equals(bytes, from, bytes.length, end, 0, end.length);
    }

    @Override
    public Object getResponse() {
        return counted;
    }

    @Override
    public String getServiceName() {
        return MapService.SERVICE_NAME;
    }

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public int getClassId() {
        return 1;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        out.writeString(group);
        out.writeLong(now);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        group = in.readString();
        now = in.readLong();
    }
}
