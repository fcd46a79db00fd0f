package gateway.component;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.map.IMap;
import gateway.http.Body;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Entries of groups, as all members keep them together. A group has a state, a word that is another once the group has
/// been forgotten: an entry is found in the state alone that it was kept in, so nobody looks for what is in a group.
///
/// Nobody waits longer than a second: where a member does not answer, others find out and take over what it had.
///
/// Keys and contents are told as Hazelcast serialises them ([MemberData]), which its maps take for what they stand
/// for.
final class ClusterEntries {
    /// Before the state of a group that has none: it is the one of whoever keeps something first.
    private static final String FIRST = "first-";

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofDays(30);

    private final IMap<Object, Object> entries;
    private final IMap<Object, String> states;
    private final MemberRoom room;
    private final InstantSource clock;
    private final String writer = UUID.randomUUID().toString().substring(0, 13);
    private final AtomicLong writes = new AtomicLong();

    ClusterEntries(IMap<Object, Object> entries, IMap<Object, String> states, MemberRoom room, InstantSource clock) {
        this.entries = entries;
        this.states = states;
        this.room = room;
        this.clock = clock;
    }

    /// What was found.
    ///
    /// @param state of its group
    record Look(String state, Optional<StoredEntry> entry) {}

    /// What became of an entry that was to be kept.
    enum Keeping {
        KEPT,
        /// Its group is in another state.
        FORGOTTEN,
        NO_ROOM
    }

    Look find(EntryPlace place) {
        CompletionStage<Object> asked = asked(() -> entries.getAsync(MemberData.key(place)));
        String state = await(asked(() -> states.getAsync(MemberData.text(place.group()))));
        byte[] bytes = (byte[]) await(asked);
        if (state == null) return new Look(FIRST + nextWord(), Optional.empty());
        Optional<StoredEntry> entry = bytes == null ? Optional.empty() : StoredEntry.read(bytes);
        return new Look(
                state,
                entry.filter(found -> found.state().equals(state))
                        .filter(found -> clock.instant().isBefore(found.end())));
    }

    /// @param state that the group has to be in; empty: whichever it is in
    Keeping keep(EntryPlace place, Optional<String> state, String contentType, byte[] content, Duration keep) {
        Optional<String> now = stateOf(place.group(), state);
        if (now.isEmpty()) return Keeping.FORGOTTEN;
        byte[] bytes = new StoredEntry(clock.instant().plus(keep), now.get(), nextWord(), contentType, Body.of(content))
                .bytes();
        if (!room.take(bytes.length)) return Keeping.NO_ROOM;
        CompletionStage<Void> kept;
        try {
            kept = entries.setAsync(
                    MemberData.key(place),
                    MemberData.bytes(bytes),
                    Math.max(1, keep.toMillis()),
                    TimeUnit.MILLISECONDS);
        } catch (RuntimeException e) {
            room.arrived(bytes.length);
            throw new MemberSlowException(e);
        }
        CompletionStage<Void> arrived = kept.whenComplete((_, _) -> room.arrived(bytes.length));
        await(arrived); // the room is taken longer than that, where a member is slow
        return Keeping.KEPT;
    }

    private Optional<String> stateOf(String group, Optional<String> asked) {
        String now = await(asked(() -> states.getAsync(MemberData.text(group))));
        if (now != null) return asked.isEmpty() || asked.get().equals(now) ? Optional.of(now) : Optional.empty();
        if (asked.isPresent() && !asked.get().startsWith(FIRST)) return Optional.empty();
        String first = asked.orElseGet(() -> FIRST + nextWord());
        String before = putIfAbsent(group, first);
        if (before == null) return Optional.of(first);
        return asked.isEmpty() ? Optional.of(before) : Optional.of(before).filter(first::equals);
    }

    private @Nullable String putIfAbsent(String group, String state) {
        try {
            return states.putIfAbsent(MemberData.text(group), state, LONGEST.toSeconds(), TimeUnit.SECONDS);
        } catch (RuntimeException e) { // whatever Hazelcast makes of a member that is away
            throw new MemberSlowException(e);
        }
    }

    void remove(EntryPlace place) {
        await(asked(() -> entries.deleteAsync(MemberData.key(place))));
    }

    void forget(String group) {
        await(asked(() -> states.setAsync(MemberData.text(group), nextWord(), LONGEST.toSeconds(), TimeUnit.SECONDS)));
    }

    /// A member that is stopping refuses at once.
    private static <T> CompletionStage<T> asked(Supplier<CompletionStage<T>> question) {
        try {
            return question.get();
        } catch (HazelcastException | IllegalStateException e) {
            throw new MemberSlowException(e);
        }
    }

    private static <T> @Nullable T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemberSlowException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new MemberSlowException(e);
        }
    }

    private String nextWord() {
        return writer + '-' + writes.incrementAndGet();
    }
}
