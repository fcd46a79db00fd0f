package gateway.app.redis;

import gateway.app.entries.OwedGroups;
import gateway.service.CachePurge;
import gateway.service.DependencyException;
import gateway.service.EntryName;
import gateway.service.EntryStore;
import gateway.service.Purges;
import gateway.service.TextDigest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Shared entries in Redis, each under a key of its own that Redis lets go at its end. A group is forgotten by another
/// state of it: entries that were kept in the one before are not found any more. Then other nodes are told, see
/// [ToldTexts].
final class RedisEntryStore implements EntryStore, ToldTexts.Hearer {
    private static final Script FIND = Script.of("entry-find");
    private static final Script KEEP = Script.of("entry-keep");
    private static final Script FORGET = Script.of("entry-forget");
    private static final int MOST_AT_ONCE = 100; // debts, between which purges are heard

    /// Groups of which a node hears that was cut off; one that has missed more forgets all that it keeps itself.
    static final int REMEMBERED_GROUPS = 10_000;

    private static final int OVERHEAD = 400; // of an entry and the state of its group, beside the bytes kept

    /// Longer than any request is under way that has asked for an entry before.
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    /// Before the state of a group that has none yet: it is the one of whoever keeps something first.
    private static final String FIRST = "first:";

    private static final Duration LONGEST = Duration.ofDays(30);

    /// A group's that nobody knows: nothing is kept in it.
    private static final String UNKNOWN = "?";

    private final RedisLink link;
    private final String prefix;
    private final ToldTexts told;
    private final EntryRoom room;
    private final Purges purges;
    private final String node = UUID.randomUUID().toString();
    private final AtomicLong states = new AtomicLong();
    private final OwedGroups owed = new OwedGroups(); // which Redis has not forgotten
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();

    private record Watcher(Consumer<String> forgotten, Runnable missed) {}

    private RedisEntryStore(RedisLink link, String namespace, Purges purges) {
        this.link = link;
        this.prefix = namespace + ":entry:";
        this.told = ToldTexts.open(link, '{' + namespace + ":entries}:", REMEMBERED_GROUPS);
        this.room = new EntryRoom(link::memory);
        this.purges = purges;
    }

    /// @throws DependencyException when Redis does not answer
    static RedisEntryStore open(RedisLink link, String namespace, Purges purges) {
        return new RedisEntryStore(link, namespace, purges);
    }

    /// Where groups that are forgotten are told by their numbers.
    String channel() {
        return told.channel();
    }

    @Override
    public Found find(EntryName name) {
        if (owed.contains(name.group())) return new Found(UNKNOWN, Optional.empty());
        ScriptReply.Blobs answer = link.ask(FIND, keys(name), new ScriptReply.Blobs());
        String state = new String(answer.at(0), StandardCharsets.UTF_8);
        if (state.isEmpty()) state = FIRST + node + states.incrementAndGet();
        return new Found(state, answer.size() < 2 ? Optional.empty() : Optional.of(answer.at(1)));
    }

    @Override
    public void keep(EntryName name, String state, byte[] entry, Duration keep) {
        if (state.equals(UNKNOWN) || entry.length > MOST_BYTES) return;
        int taken = entry.length + OVERHEAD;
        if (!room.take(taken)) return;
        Arguments arguments = keys(name)
                .add(state.startsWith(FIRST) ? "" : state)
                .add(state)
                .add(Math.clamp(keep.toMillis(), 1, LONGEST.toMillis()))
                .add(entry);
        try {
            link.begin(KEEP, arguments, new ScriptReply.Numbers(), new RedisLink.Follower() {
                @Override
                public void ended(Call call) {
                    room.arrived(taken);
                }
            });
        } catch (DependencyException e) {
            room.arrived(taken); // away, which the breaker has said
        }
    }

    /// What a node asks for afterwards goes over the same connection, behind it. Where Redis has no room to remember
    /// one more, everything is purged.
    @Override
    public void forget(String group) {
        if (!room.spend(OVERHEAD + group.length())) {
            owed.addAll();
            return;
        }
        owingUnlessDone(
                group,
                after -> link.beginPatiently(FORGET, forgetting(group), new ScriptReply.Numbers(), after),
                () -> tell(group));
    }

    /// Only now that nobody finds anything of it: who hears of it may look at once.
    private void tell(String group) {
        owingUnlessDone(group, after -> told.beginTelling(group, after), () -> {});
    }

    /// @param then done when it has succeeded
    private void owingUnlessDone(String group, Consumer<RedisLink.Follower> call, Runnable then) {
        try {
            call.accept(new RedisLink.Follower() {
                @Override
                public void ended(Call ended) {
                    if (ended.end() == Call.End.ANSWERED && ended.error() == null) then.run();
                    else owed.add(group);
                }
            });
        } catch (DependencyException e) {
            owed.add(group);
        }
    }

    private Arguments forgetting(String group) {
        return Arguments.keys(slot(group) + "state").add(newState()).add(REMEMBERED.toMillis());
    }

    /// Hears which groups others have forgotten.
    ///
    /// @throws DependencyException when Redis does not answer
    void hear() {
        told.hear(this);
    }

    @Override
    public void heard(String group, boolean mine) {
        if (!mine) for (Watcher each : watchers) each.forgotten.accept(group);
    }

    @Override
    public void missed(long number) {
        for (Watcher each : watchers) each.missed.run();
    }

    /// States that Redis has lost may be ones from before: what was forgotten would be found again.
    @Override
    public void lost() {
        purges.tell(CachePurge.ALL);
    }

    /// Looks how much room there is.
    void look() {
        room.look();
    }

    /// Has Redis forget some of what it could not be told.
    ///
    /// @throws DependencyException when Redis does not answer
    void refresh() {
        long all = owed.all();
        if (all != 0) {
            purges.tell(CachePurge.ALL);
            owed.settleAll(all);
        }
        for (Map.Entry<String, Long> each : owed.some(MOST_AT_ONCE)) {
            link.askPatiently(FORGET, forgetting(each.getKey()), new ScriptReply.Numbers());
            told.tell(each.getKey());
            owed.settle(each.getKey(), each.getValue()); // unless it is owed anew
        }
    }

    @Override
    public AutoCloseable watch(Consumer<String> forgotten, Runnable missed) {
        var watcher = new Watcher(forgotten, missed);
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    private Arguments keys(EntryName name) {
        String slot = slot(name.group());
        return Arguments.keys(slot + "state", slot + TextDigest.of(name.name()));
    }

    /// A group lies in one slot of a cluster.
    private String slot(String group) {
        return prefix + '{' + TextDigest.of(group) + "}:";
    }

    private String newState() {
        return node + states.incrementAndGet();
    }
}
