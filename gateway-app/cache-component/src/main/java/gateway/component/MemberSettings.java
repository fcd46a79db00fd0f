package gateway.component;

import gateway.http.Secret;
import java.time.Duration;
import java.util.List;

/// What one member of the cache component is started with.
///
/// @param host address of an interface of this machine that other members call
/// @param port that they call; 0 lets the operating system choose
/// @param announced `host:port` that other members are told to call; empty text: the same
/// @param members `host:port` of others, or a name that stands for all of them; without any it stays alone
/// @param secret that members have in common
/// @param operationThreads that work on partitions
/// @param mostBytes of entries, backups for others included
/// @param leave how long it may take to hand its partitions over at the end
public record MemberSettings(
        String host,
        int port,
        String announced,
        List<String> members,
        Secret secret,
        int operationThreads,
        long mostBytes,
        Duration leave) {
    public MemberSettings {
        members = List.copyOf(members);
    }
}
