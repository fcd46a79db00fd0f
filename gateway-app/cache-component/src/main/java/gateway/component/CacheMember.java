package gateway.component;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.util.ConcurrencyUtil;
import com.hazelcast.map.IMap;
import com.hazelcast.map.LocalMapStats;
import com.hazelcast.map.impl.IMapInternal;
import gateway.service.Upstream;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One member of the cache component: it has joined the others, if there are any, and answers for all of them.
public final class CacheMember implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CacheMember.class);
    private static final long LOOK_MILLIS = 200;

    private final HazelcastInstance member;
    private final IMap<String, byte[]> kept;
    private final MemberRoom room;
    private final ClusterEntries entries;
    private final InstantSource clock;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("cache-room").factory());

    private CacheMember(HazelcastInstance member, MemberSettings settings, InstantSource clock) {
        this.member = member;
        this.clock = clock;
        this.kept = member.getMap(MemberConfig.ENTRIES);
        this.room = new MemberRoom(kept, settings.mostBytes() - settings.mostBytes() / MemberConfig.STATES_PART);
        this.entries = new ClusterEntries(
                map(member, MemberConfig.ENTRIES),
                map(member, MemberConfig.STATES),
                new GroupCounts(
                        ((HazelcastInstanceProxy) member).getOriginal().node.getNodeEngine()),
                room,
                clock);
        var _ = looking.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// With the questions that none has to wait for, of which its open interface has most.
    private static <V> IMapInternal<Object, V> map(HazelcastInstance member, String name) {
        IMap<Object, V> map = member.getMap(name);
        return (IMapInternal<Object, V>) map;
    }

    /// Joins the other members; where none is found within a few seconds, it is the first one.
    ///
    /// @throws IllegalStateException when it cannot listen or may not join
    public static CacheMember start(MemberSettings settings, InstantSource clock) {
        HazelcastInstance member;
        System.setProperty("hazelcast.logging.class", MemberLog.class.getName()); // for what it says before it is told
        // Whoever ends an operation tells of it: with one or two CPUs a thread would be started for each, else.
        ConcurrencyUtil.setDefaultAsyncExecutor(ConcurrencyUtil.CALLER_RUNS);
        try {
            member = Hazelcast.newHazelcastInstance(MemberConfig.of(settings));
        } catch (HazelcastException e) {
            throw new IllegalStateException("the member cannot start: " + e.getMessage(), e);
        }
        return new CacheMember(member, settings, clock);
    }

    /// What answers requests for entries.
    public Upstream endpoint(CacheCallers callers) {
        return new EntryEndpoint(entries, callers, clock);
    }

    /// Whether it is one of the members now: neither stopping nor on its way from one half of a split to the other.
    public boolean isJoined() {
        return member.getLifecycleService().isRunning();
    }

    /// Members that this one sees, itself included; 0 once it has left.
    public int members() {
        return isJoined() ? member.getCluster().getMembers().size() : 0;
    }

    /// Bytes of entries and backups at this member.
    public long bytes() {
        return room.used();
    }

    /// Entries that this member has, without backups for others.
    public long entries() {
        return isJoined() ? stats().getOwnedEntryCount() : 0;
    }

    /// Entries that had to go for others.
    public long evictions() {
        return isJoined() ? stats().getEvictionCount() : 0;
    }

    private LocalMapStats stats() {
        return kept.getLocalMapStats();
    }

    private void look() {
        try {
            if (isJoined()) room.look();
        } catch (RuntimeException e) { // a member that goes in the midst of it; the next look comes
            LOG.debug("room for entries", e);
        }
    }

    /// Hands over what it has, as long as that may take, and leaves.
    @Override
    public void close() {
        looking.shutdownNow();
        member.shutdown();
    }
}
