package gateway.policies.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.service.Workers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a directory has said a short while ago, good and bad in tables of their own: whoever guesses pushes no good
/// one out. What is being asked is not asked again: the others wait.
final class LdapAnswers {
    private static final String SHARE = "ldap";
    private static final int MOST = 10_000;
    private static final Duration LONGEST_WRONG = Duration.ofSeconds(5);

    private final Cache<TokenDigest, LdapAnswer> right;
    private final Cache<TokenDigest, LdapAnswer> wrong;
    private final ConcurrentHashMap<TokenDigest, CompletableFuture<LdapAnswer>> underWay = new ConcurrentHashMap<>();
    private final Workers workers;
    private final boolean remembers;

    LdapAnswers(Duration cacheFor, Workers workers, InstantSource clock) {
        this.right = table(cacheFor, clock);
        this.wrong = table(cacheFor.compareTo(LONGEST_WRONG) < 0 ? cacheFor : LONGEST_WRONG, clock);
        this.workers = workers;
        this.remembers = cacheFor.isPositive();
    }

    private static Cache<TokenDigest, LdapAnswer> table(Duration keep, InstantSource clock) {
        return Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(keep)
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /// Null when it is not remembered: no object on the way of every request.
    @Nullable
    LdapAnswer remembered(TokenDigest digest) {
        LdapAnswer found = right.getIfPresent(digest);
        return found == null ? wrong.getIfPresent(digest) : found;
    }

    /// Where nothing may be remembered, an answer to a question that was put before this request came is too old: the
    /// next one is asked then, by one for all who have waited.
    ///
    /// @throws gateway.service.DependencyException when the directory does not say
    /// @throws gateway.service.WorkersBusyException when too many are asked about
    LdapAnswer ask(TokenDigest digest, Supplier<LdapAnswer> question) {
        return ask(digest, question, remembers);
    }

    /// @param mayBeOld whether an answer will do that somebody waits for already
    private LdapAnswer ask(TokenDigest digest, Supplier<LdapAnswer> question, boolean mayBeOld) {
        var own = new CompletableFuture<LdapAnswer>();
        CompletableFuture<LdapAnswer> other = underWay.putIfAbsent(digest, own);
        if (other != null) {
            LdapAnswer answer = awaited(other);
            return mayBeOld ? answer : ask(digest, question, true);
        }
        try {
            LdapAnswer answer = workers.call(SHARE, question::get);
            (answer instanceof LdapAnswer.Right ? right : wrong).put(digest, answer);
            underWay.remove(digest, own); // first: who is told and asks again gets another answer
            own.complete(answer);
            return answer;
        } catch (Throwable e) {
            underWay.remove(digest, own);
            own.completeExceptionally(e);
            throw e;
        }
    }

    private static LdapAnswer awaited(CompletableFuture<LdapAnswer> other) {
        try {
            return other.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failed ? failed : e;
        }
    }
}
