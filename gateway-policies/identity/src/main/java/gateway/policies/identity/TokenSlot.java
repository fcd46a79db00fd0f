package gateway.policies.identity;

import gateway.http.FailureReason;
import gateway.http.Secret;
import gateway.policy.Services;
import gateway.service.DependencyException;
import gateway.service.Refresher;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one token that all requests of equal terms go out with. It is fetched by the first that needs it, while the
/// others wait for that call, and renewed behind the requests before it ends. While the server is away the one at
/// hand serves to its end; without one each wait for the server is shared, and after a failure nobody asks
/// again for a while, which doubles up to half a second.
final class TokenSlot {
    private static final Logger LOG = LoggerFactory.getLogger(TokenSlot.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    private static final Duration BETWEEN_REFUSALS = Duration.ofSeconds(10);

    private final TokenTerms terms;
    private final TokenEndpoint endpoint;
    private final Map<String, Secret> secrets;
    private final InstantSource clock;
    private final Refresher refresher;
    private final ReentrantLock lock = new ReentrantLock(); // held for a few instructions
    private volatile @Nullable AccessToken current;
    private @Nullable CompletableFuture<AccessToken> underWay;
    private @Nullable RuntimeException lastFailure;
    private long askAgainAt = Long.MIN_VALUE; // this and the next in milliseconds
    private long mayRefuseAt = Long.MIN_VALUE;
    private int failures;
    private long fetched;

    TokenSlot(
            TokenTerms terms,
            TokenEndpoint endpoint,
            Map<String, Secret> secrets,
            InstantSource clock,
            Refresher refresher) {
        this.terms = terms;
        this.endpoint = endpoint;
        this.secrets = secrets;
        this.clock = clock;
        this.refresher = refresher;
    }

    /// The same for all policies with equal terms and secrets, also over reloads.
    private record Id(TokenTerms terms, ClientProof client, Optional<Secret> password) {}

    static TokenSlot of(TokenTerms terms, Services services) {
        ClientProof client = terms.client().ready(terms.url(), "/oauth2/client", services);
        Optional<Secret> password = terms.password().map(services::secret);
        var server = services.calls().to(terms.target(), "/oauth2", "tokenUrl");
        Map<String, Secret> secrets =
                password.map(secret -> Map.of("password", secret)).orElse(Map.of());
        var endpoint = new TokenEndpoint(terms.target().name(), terms.path(), server, client, terms.timeout());
        return services.shared(
                new Id(terms, client, password),
                TokenSlot.class,
                () -> new TokenSlot(terms, endpoint, secrets, services.clock(), services.refresher()));
    }

    /// Characters of what it holds.
    int heldLength() {
        AccessToken held = current;
        return held == null ? 0 : held.length();
    }

    /// A token that serves now.
    ///
    /// @throws DependencyException when there is none and none can be had in time
    /// @throws SubjectRefusedException when there is none to be had for the caller
    AccessToken take() {
        AccessToken held = current;
        long now = clock.millis();
        if (held != null && held.isFresh(now)) return held;
        CompletableFuture<AccessToken> coming = fetch(now);
        return held != null && held.serves(now) ? held : await(coming);
    }

    /// The upstream does not take the token of that number: another one is wanted. An upstream that takes none has
    /// one fetched every ten seconds, no more.
    ///
    /// @return whether there is another one now, or may be one
    boolean refused(long number) {
        lock.lock();
        try {
            AccessToken held = current;
            if (held == null || held.number() != number) return true; // another request was told before
            long now = clock.millis();
            if (now < mayRefuseAt) return false;
            mayRefuseAt = now + BETWEEN_REFUSALS.toMillis();
            current = null;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// The call that is under way, or a new one when it is time for it.
    private CompletableFuture<AccessToken> fetch(long now) {
        CompletableFuture<AccessToken> mine;
        lock.lock();
        try {
            if (underWay != null) return underWay;
            AccessToken held = current;
            if (held != null && held.isFresh(now)) return CompletableFuture.completedFuture(held);
            if (lastFailure != null && now < askAgainAt) return CompletableFuture.failedFuture(lastFailure);
            mine = new CompletableFuture<>();
            underWay = mine;
        } finally {
            lock.unlock();
        }
        refresher.begin(() -> load(mine));
        return mine;
    }

    private void load(CompletableFuture<AccessToken> mine) {
        long askedAt = clock.millis();
        try {
            TokenAnswer.Given given = endpoint.ask(terms, secrets);
            mine.complete(keep(given, askedAt));
        } catch (DependencyException | SubjectRefusedException e) {
            mine.completeExceptionally(failed(e));
        } catch (Throwable e) { // whatever it is, those who wait are told
            LOG.warn("token of {} cannot be fetched", terms.target().name(), e);
            mine.completeExceptionally(
                    failed(new DependencyException(terms.target().name(), "no token", e)));
        }
    }

    private AccessToken keep(TokenAnswer.Given given, long askedAt) {
        Duration life = given.life();
        Duration half = life.dividedBy(2);
        Duration early = terms.renewBefore().compareTo(half) < 0 ? terms.renewBefore() : half;
        long end = askedAt + life.toMillis();
        lock.lock();
        try {
            var token = new AccessToken(this, given.token(), ++fetched, end - early.toMillis(), end);
            if (lastFailure instanceof DependencyException)
                LOG.info("tokens of {} can be fetched again", terms.target().name());
            current = token;
            underWay = null;
            lastFailure = null;
            failures = 0;
            return token;
        } finally {
            lock.unlock();
        }
    }

    private RuntimeException failed(RuntimeException why) {
        lock.lock();
        try {
            // One of each caller's would let callers fill the log.
            if (failures == 0 && why instanceof DependencyException)
                LOG.warn("no token to be had: {}", why.getMessage());
            underWay = null;
            lastFailure = why;
            Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, 4));
            askAgainAt = clock.millis() + Math.min(pause.toMillis(), LONGEST_PAUSE.toMillis());
            failures++;
            return why;
        } finally {
            lock.unlock();
        }
    }

    private AccessToken await(CompletableFuture<AccessToken> coming) {
        try {
            return coming.get(terms.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException why) throw why;
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new DependencyException(
                    terms.target().name(), FailureReason.TIMEOUT.word(), "gave no token in time", null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DependencyException(terms.target().name(), "interrupted while a token was fetched", e);
        }
    }

    @Override
    public String toString() {
        return "token of " + terms.target().name();
    }
}
