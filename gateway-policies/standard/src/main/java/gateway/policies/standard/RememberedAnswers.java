package gateway.policies.standard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.service.DependencyException;
import gateway.service.WorkersBusyException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Answers of one service, each for a while. What is being asked is not asked again: the others wait, or take the
/// old answer where there is one.
final class RememberedAnswers {
    /// The same over reloads of a definition that says the same of the call.
    ///
    /// @param place whose call it is
    /// @param definition SHA-256 of what it says
    record Id(String place, String definition) {}

    private static final long MOST_BYTES = 16 << 20;

    /// @param until milliseconds of the clock, to which it is good
    private record Kept(ServiceAnswer answer, long until) {
        int weight() {
            return (int) Math.min(answer.bytes(), MOST_BYTES);
        }
    }

    private final Cache<String, Kept> kept;
    private final SingleFlight<String, ServiceAnswer> underWay = new SingleFlight<>();
    private final AnswerMemory memory;
    private final IntPredicate refuses;
    private final InstantSource clock;

    /// @param refuses whether an answer of this status is a refusal, which holds for whoever asked alone
    RememberedAnswers(AnswerMemory memory, IntPredicate refuses, InstantSource clock) {
        this.memory = memory;
        this.refuses = refuses;
        this.clock = clock;
        long bytesOfOne = MOST_BYTES / memory.entries(); // so that there are no more than `entries` of them
        this.kept = Caffeine.newBuilder()
                .maximumWeight(MOST_BYTES)
                .weigher((String _, Kept each) -> (int) Math.max(each.weight(), bytesOfOne))
                .expireAfterWrite(memory.keep().plus(memory.stale()))
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /// One that is good still; null when somebody has to be asked: no object on the way of every request.
    ///
    /// @param digest of what makes the call the same as another
    @Nullable
    ServiceAnswer fresh(String digest) {
        Kept known = kept.getIfPresent(digest);
        return known != null && clock.millis() < known.until() ? known.answer() : null;
    }

    /// The same, or what is answered now, or an old one.
    ///
    /// @param patience nanoseconds
    /// @throws DependencyException when there is no answer, not even an old one
    ServiceAnswer of(String server, String digest, long patience, Supplier<ServiceAnswer> question) {
        Kept known = kept.getIfPresent(digest);
        if (known == null) return underWay.ask(server, digest, patience, () -> asked(digest, question));
        if (clock.millis() < known.until()) return known.answer();
        return renewed(digest, known.answer(), question);
    }

    /// One asks anew; the others take what is old meanwhile, and so does he when there is nothing new.
    private ServiceAnswer renewed(String digest, ServiceAnswer old, Supplier<ServiceAnswer> question) {
        try {
            Optional<ServiceAnswer> fresh = underWay.askUnlessAsked(digest, () -> asked(digest, question));
            return fresh.orElse(old);
        } catch (DependencyException | WorkersBusyException e) {
            return old; // it is gone from here as soon as it is too old
        }
    }

    private ServiceAnswer asked(String digest, Supplier<ServiceAnswer> question) {
        @Nullable Kept meanwhile = kept.getIfPresent(digest); // by one who was quicker
        if (meanwhile != null && clock.millis() < meanwhile.until()) return meanwhile.answer();
        ServiceAnswer answer = question.get();
        if (refuses.test(answer.status())) kept.invalidate(digest); // nor does what was allowed before hold
        else kept.put(digest, new Kept(answer, clock.millis() + memory.keep().toMillis()));
        return answer;
    }
}
