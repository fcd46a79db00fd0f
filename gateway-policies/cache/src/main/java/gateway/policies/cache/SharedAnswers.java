package gateway.policies.cache;

import gateway.service.DependencyException;
import gateway.service.EntryName;
import gateway.service.EntryStore;
import gateway.service.PurgeLog;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The answers that nodes share, behind those that each keeps itself. Where the store is away there are none, and
/// never an error.
///
/// An answer without `Vary` stands under its key. In place of others stand the names of the fields that tell them
/// apart, and each of them stands under the key with the values of these.
final class SharedAnswers {
    private static final byte VARIES = 0; // a frame of names; an answer's begins with its version

    private final EntryStore store;
    private final ShareWriter writer;
    private final PurgeLog purges;
    private final KeepRules rules;
    private final Duration stale;
    private final InstantSource clock;

    /// @param stale how long answers are of use when they are not fresh any more
    SharedAnswers(
            EntryStore store,
            ShareWriter writer,
            PurgeLog purges,
            KeepRules rules,
            Duration stale,
            InstantSource clock) {
        this.store = store;
        this.writer = writer;
        this.purges = purges;
        this.rules = rules;
        this.stale = stale;
        this.clock = clock;
    }

    /// What was found.
    ///
    /// @param state of the target then; empty: nobody knows, so nothing is kept there
    record Look(Optional<FoundAnswer> found, Optional<String> state) {
        static final Look NOWHERE = new Look(Optional.empty(), Optional.empty());

        /// What was found, or `other` if that came later.
        @Nullable
        FoundAnswer later(@Nullable FoundAnswer other) {
            if (found.isEmpty()) return other;
            boolean isOther =
                    other != null && other.answer().isLaterThan(found.get().answer());
            return isOther ? other : found.get();
        }
    }

    /// The answer that other nodes have for `request`.
    Look find(CacheRequest request) {
        try {
            Look mine = find(request.own(), request);
            if (mine.found.isPresent() || request.own().equals(request.common())) return mine;
            Look others = find(request.common(), request);
            boolean isForAll = others.found.isPresent()
                    && others.found.get().answer().terms().isForAll();
            return isForAll ? others : mine;
        } catch (DependencyException e) {
            return Look.NOWHERE; // the store has said so
        }
    }

    private Look find(CacheKey key, CacheRequest request) {
        EntryStore.Found first = store.find(new EntryName(key.target(), key.part()));
        Optional<String> state = Optional.of(first.state());
        if (first.entry().isEmpty()) return new Look(Optional.empty(), state);
        byte[] frame = first.entry().get();
        if (frame.length == 0 || frame[0] != VARIES) return new Look(read(key, frame, request), state);
        var vary = VaryFields.of(names(frame), request.seen()::all);
        EntryStore.Found second = store.find(new EntryName(key.target(), varied(key, vary)));
        boolean isSame = second.entry().isPresent() && second.state().equals(first.state());
        return new Look(isSame ? read(key, second.entry().get(), request) : Optional.empty(), state);
    }

    private Optional<FoundAnswer> read(CacheKey key, byte[] frame, CacheRequest request) {
        Instant now = clock.instant();
        Optional<AnswerFrame.Read> read = AnswerFrame.read(frame, rules, now);
        if (read.isEmpty()) return Optional.empty();
        CachedAnswer answer = read.get().answer();
        boolean isOfUse = answer.isFor(request.upstream(), request.seen())
                && answer.terms().mayBeKept()
                && !answer.origin().isPurged(purges, read.get().purge());
        return isOfUse ? Optional.of(new FoundAnswer(key, answer)) : Optional.empty();
    }

    /// Has other nodes find `answer`, soon.
    ///
    /// @param look before the upstream was asked
    /// @param purge the number of the last one then
    void put(CacheKey key, CachedAnswer answer, Look look, long purge) {
        Duration left = answer.freshFor(clock.instant()).plus(stale);
        if (look.state.isEmpty() || !left.isPositive()) return;
        String state = look.state.get();
        if (AnswerFrame.isDeflated(answer))
            writer.write(answer.body().content().length, () -> keep(key, answer, state, purge, left));
        else keep(key, answer, state, purge, left);
    }

    private void keep(CacheKey key, CachedAnswer answer, String state, long purge, Duration left) {
        Optional<byte[]> frame = AnswerFrame.write(answer, purge);
        if (frame.isEmpty()) return;
        VaryFields vary = answer.vary();
        if (vary.names().isEmpty()) {
            store.keep(new EntryName(key.target(), key.part()), state, frame.get(), left);
            return;
        }
        store.keep(new EntryName(key.target(), key.part()), state, frame(vary.names()), left);
        store.keep(new EntryName(key.target(), varied(key, vary)), state, frame.get(), left);
    }

    void forget(String target) {
        store.forget(target);
    }

    private static String varied(CacheKey key, VaryFields vary) {
        return new KeyText().add(key.part()).add(vary.toString()).toString();
    }

    private static byte[] frame(List<String> names) {
        byte[] text = String.join(",", names).getBytes(StandardCharsets.UTF_8);
        byte[] frame = new byte[text.length + 1];
        frame[0] = VARIES;
        System.arraycopy(text, 0, frame, 1, text.length);
        return frame;
    }

    private static List<String> names(byte[] frame) {
        return ListElements.of(List.of(new String(frame, 1, frame.length - 1, StandardCharsets.UTF_8)));
    }
}
