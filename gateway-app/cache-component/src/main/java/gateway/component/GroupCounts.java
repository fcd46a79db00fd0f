package gateway.component;

import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/// Has groups counted where they lie, each at one member.
final class GroupCounts {
    private final NodeEngine members;

    GroupCounts(NodeEngine members) {
        this.members = members;
    }

    CompletionStage<GroupCount> ask(String group, Instant now) {
        int partition = members.getPartitionService().getPartitionId(MemberData.text(group));
        return members.getOperationService()
                .<long[]>invokeOnPartition(
                        MapService.SERVICE_NAME, new GroupCounting(group, now.toEpochMilli()), partition)
                .thenApply(counted -> new GroupCount(counted[0], counted[1], counted[2]));
    }
}
