package gateway.policies.cache;

import java.time.Instant;
import java.util.Optional;

/// What requests share: answers that are kept, and who is on the way for more.
///
/// @param copies that are being made of more
/// @param counts of how requests fare
/// @param texts that they have in common
/// @param shared with other nodes; empty: nothing is
record KeptAnswers(
        LocalAnswers answers,
        Flights flights,
        CopyRoom copies,
        CacheCounts counts,
        RepeatedTexts texts,
        Optional<SharedAnswers> shared) {
    /// The same for requests that have no client.
    KeptAnswers uncounted() {
        return new KeptAnswers(answers, flights, copies, CacheCounts.NONE, texts, shared);
    }

    /// Keeps what has come for `request`.
    ///
    /// @param since it was asked for
    /// @param look before it was asked for
    void put(CacheKey key, CachedAnswer answer, LocalAnswers.Since since, SharedAnswers.Look look) {
        answers.put(key, answer, since);
        if (shared.isPresent()) shared.get().put(key, answer, look, since.purge());
    }

    /// What another node has for `request`, which this one keeps from now on.
    SharedAnswers.Look look(CacheRequest request) {
        if (shared.isEmpty()) return SharedAnswers.Look.NOWHERE;
        LocalAnswers.Since since = answers.now();
        SharedAnswers.Look look = shared.get().find(request);
        if (look.found().isPresent())
            answers.put(look.found().get().key(), look.found().get().answer(), since);
        return look;
    }

    /// The upstream has another answer than `found` by now: it is stale here, and gone where nodes share.
    ///
    /// @param since that was asked
    void outdate(FoundAnswer found, Instant now, LocalAnswers.Since since) {
        answers.put(found.key(), found.answer().stale(now), since);
        if (shared.isPresent()) shared.get().forget(found.key().target());
    }

    /// What comes for `request` is larger than what is kept: clients see it from now on, so that `older` is not to come
    /// back, and nobody is to wait for the next.
    void outgrown(CacheRequest request, FoundAnswer older) {
        answers.remove(older.key(), older.answer());
        flights.learnVain(request);
    }

    /// Forgets all that is kept of `target`, whoever it is for.
    void forget(String target) {
        answers.forget(target);
        if (shared.isPresent()) shared.get().forget(target);
    }
}
