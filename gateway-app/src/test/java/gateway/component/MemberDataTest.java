package gateway.component;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MemberDataTest {
    private final InternalSerializationService hazelcast = new DefaultSerializationServiceBuilder().build();

    @AfterEach
    void stop() {
        hazelcast.dispose();
    }

    @Test
    void keys_are_those_of_hazelcast_byte_for_byte_and_lie_in_the_partition_of_their_group() {
        Data key = MemberData.key(new EntryPlace("group-7", "key.x"));

        assertThat(key.toByteArray()).isEqualTo(serialised("key.x@group-7").toByteArray());
        assertThat(key.getPartitionHash()).isEqualTo(MemberData.text("group-7").getPartitionHash());
    }

    @Test
    void texts_and_contents_are_those_of_hazelcast_byte_for_byte() {
        byte[] content = {1, 0, -1};

        assertThat(MemberData.text("group-7").toByteArray())
                .isEqualTo(serialised("group-7").toByteArray());
        assertThat(MemberData.bytes(content).toByteArray())
                .isEqualTo(hazelcast.toData(content).toByteArray());
    }

    private Data serialised(String text) {
        return hazelcast.toData(text, StringPartitioningStrategy.INSTANCE);
    }
}
