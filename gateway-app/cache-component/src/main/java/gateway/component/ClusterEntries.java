package gateway.component;

import com.hazelcast.map.impl.IMapInternal;
import gateway.component.EntryHead.TagState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Entries of groups, as all members keep them together. A group has a state, a word that is another once the group has
/// been forgotten: an entry is found in the state alone that it was kept in, so nobody looks for what is in a group.
/// Tags have such states too, each for the entries of one group: an entry is found in those alone that its tags had
/// when it was kept.
///
/// Nobody waits longer than a second: where a member does not answer, others find out and take over what it had.
///
/// Keys and contents are told as Hazelcast serialises them ([MemberData]), which its maps take for what they stand
/// for.
final class ClusterEntries {
    /// Before the state of a group that has none: it is the one of whoever keeps something first.
    private static final String FIRST = "first-";

    static final Duration LONGEST = Duration.ofDays(30);

    private final IMapInternal<Object, Object> entries;
    private final IMapInternal<Object, String> states;
    private final GroupCounts counts;
    private final MemberRoom room;
    private final InstantSource clock;
    private final String writer = UUID.randomUUID().toString().substring(0, 13);
    private final AtomicLong writes = new AtomicLong();

    ClusterEntries(
            IMapInternal<Object, Object> entries,
            IMapInternal<Object, String> states,
            GroupCounts counts,
            MemberRoom room,
            InstantSource clock) {
        this.entries = entries;
        this.states = states;
        this.counts = counts;
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
        Patience patience = Patience.begin();
        CompletionStage<Object> asked = Patience.asked(() -> entries.getAsync(MemberData.key(place)));
        String state = patience.await(askedFor(MemberData.text(place.group())));
        byte[] bytes = (byte[]) patience.await(asked);
        if (state == null) return new Look(FIRST + nextWord(), Optional.empty());
        Optional<StoredEntry> entry = bytes == null ? Optional.empty() : StoredEntry.read(bytes);
        return new Look(
                state,
                entry.filter(found -> found.head().state().equals(state))
                        .filter(found -> clock.instant().isBefore(found.head().end()))
                        .filter(found ->
                                isRemembered(place.group(), found.head().tags(), patience)));
    }

    private boolean isRemembered(String group, List<TagState> tags, Patience patience) {
        var asked = new ArrayList<CompletionStage<String>>(tags.size());
        for (TagState tag : tags) asked.add(askedFor(tagKey(group, tag.mark())));
        for (int i = 0; i < tags.size(); i++) {
            if (!tags.get(i).state().equals(patience.await(asked.get(i)))) return false;
        }
        return true;
    }

    /// @param state that the group has to be in; empty: whichever it is in
    Keeping keep(EntryPlace place, Optional<String> state, Offer offer) {
        Patience patience = Patience.begin();
        Optional<String> now = stateOf(place.group(), state, patience);
        if (now.isEmpty()) return Keeping.FORGOTTEN;
        var head = new EntryHead(
                clock.instant().plus(offer.keep()),
                now.get(),
                nextWord(),
                offer.contentType(),
                tagStates(place.group(), offer.tags(), patience),
                offer.fields());
        byte[] bytes = new StoredEntry(head, offer.content()).bytes();
        if (!room.take(bytes.length)) return Keeping.NO_ROOM;
        CompletionStage<Void> kept;
        try {
            kept = entries.setAsync(
                    MemberData.key(place),
                    MemberData.bytes(bytes),
                    Math.max(1, offer.keep().toMillis()),
                    TimeUnit.MILLISECONDS);
        } catch (RuntimeException e) {
            room.arrived(bytes.length);
            throw new MemberSlowException(e);
        }
        CompletionStage<Void> arrived = kept.whenComplete((_, _) -> room.arrived(bytes.length));
        patience.await(arrived); // the room is taken longer than that, where a member is slow
        return Keeping.KEPT;
    }

    private Optional<String> stateOf(String group, Optional<String> asked, Patience patience) {
        String now = patience.await(askedFor(MemberData.text(group)));
        if (now != null) return asked.isEmpty() || asked.get().equals(now) ? Optional.of(now) : Optional.empty();
        if (asked.isPresent() && !asked.get().startsWith(FIRST)) return Optional.empty();
        String first = asked.orElseGet(() -> FIRST + nextWord());
        String before = patience.await(askedToBe(MemberData.text(group), first));
        if (before == null) return Optional.of(first);
        return asked.isEmpty() ? Optional.of(before) : Optional.of(before).filter(first::equals);
    }

    /// Looked up before they are made: most tags are known.
    private List<TagState> tagStates(String group, List<String> tags, Patience patience) {
        List<String> marks = tags.stream().map(EntryPlace::mark).toList();
        var asked = new ArrayList<CompletionStage<String>>(marks.size());
        for (String mark : marks) asked.add(askedFor(tagKey(group, mark)));
        var found = new ArrayList<TagState>(marks.size());
        for (int i = 0; i < marks.size(); i++) {
            String mark = marks.get(i);
            String state = patience.await(asked.get(i));
            found.add(new TagState(mark, state != null ? state : firstTagState(group, mark, patience)));
        }
        return found;
    }

    private String firstTagState(String group, String mark, Patience patience) {
        String first = nextWord();
        String before = patience.await(askedToBe(tagKey(group, mark), first));
        return before != null ? before : first;
    }

    void remove(EntryPlace place) {
        Patience.begin().await(Patience.asked(() -> entries.deleteAsync(MemberData.key(place))));
    }

    void forget(String group) {
        Patience.begin().await(askedToBecome(MemberData.text(group), nextWord()));
    }

    /// Forgets the entries of the group with this tag. One that has no state is no entry's.
    void forget(String group, String tag) {
        Patience patience = Patience.begin();
        Object key = tagKey(group, EntryPlace.mark(tag));
        if (patience.await(askedFor(key)) != null) patience.await(askedToBecome(key, nextWord()));
    }

    /// What of a group is found now.
    GroupCount count(String group) {
        return Patience.begin().await(Patience.asked(() -> counts.ask(group, clock.instant())));
    }

    private static Object tagKey(String group, String mark) {
        return MemberData.key(new EntryPlace(group, mark));
    }

    private CompletionStage<@Nullable String> askedFor(Object key) {
        return Patience.asked(() -> states.getAsync(key));
    }

    /// @return what it was before, null for nothing
    private CompletionStage<@Nullable String> askedToBe(Object key, String state) {
        return Patience.asked(() -> states.putIfAbsentAsync(key, state, LONGEST.toSeconds(), TimeUnit.SECONDS));
    }

    private CompletionStage<Void> askedToBecome(Object key, String state) {
        return Patience.asked(() -> states.setAsync(key, state, LONGEST.toSeconds(), TimeUnit.SECONDS));
    }

    private String nextWord() {
        return writer + '-' + writes.incrementAndGet();
    }
}
