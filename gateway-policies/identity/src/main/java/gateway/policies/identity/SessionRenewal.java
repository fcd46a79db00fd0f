package gateway.policies.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gateway.http.Span;
import gateway.policies.standard.SingleFlight;
import gateway.service.DependencyException;
import gateway.service.ShortTerm;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews the tokens of sessions ahead of their end: each session once, however many requests want it, on all nodes.
/// Who still shows what was before is led to the successor for a while, since a refresh token may serve but once.
final class SessionRenewal {
    private static final Logger LOG = LoggerFactory.getLogger(Oidc.class);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Duration AHEAD = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofSeconds(5); // after a failure
    private static final Duration LOOK = Duration.ofMillis(50); // at what another node does
    private static final int MOST_FAILED = 10_000;

    /// What has become of a session.
    sealed interface Outcome {
        /// It goes on as it is.
        record Same() implements Outcome {}

        /// This one goes on in its place, and the browser has to be told.
        record Next(Session session) implements Outcome {}

        record Over() implements Outcome {}
    }

    private static final Outcome SAME = new Outcome.Same();

    private final FetchedProvider provider;
    private final OpenIdProvider server;
    private final Sessions sessions;
    private final OpenedSessions opened;
    private final SessionRules rules;
    private final ShortTerm store;
    private final String place;
    private final InstantSource clock;
    private final SingleFlight<String, Outcome> underWay = new SingleFlight<>();
    private final Cache<String, Boolean> failed;
    private volatile boolean failing; // told once, whoever has noticed

    SessionRenewal(
            FetchedProvider provider,
            OpenIdProvider server,
            Sessions sessions,
            OpenedSessions opened,
            SessionRules rules,
            ShortTerm store,
            String place,
            InstantSource clock) {
        this.provider = provider;
        this.server = server;
        this.sessions = sessions;
        this.opened = opened;
        this.rules = rules;
        this.store = store;
        this.place = place;
        this.clock = clock;
        this.failed = Caffeine.newBuilder()
                .maximumSize(MOST_FAILED)
                .expireAfterWrite(PAUSE)
                .executor(Runnable::run)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /// So long before its end a token is renewed.
    static Duration ahead(Duration life) {
        Duration half = life.dividedBy(2);
        return AHEAD.compareTo(half) < 0 ? AHEAD : half;
    }

    /// What a request goes on with.
    ///
    /// @param within what waits for it
    /// @throws DependencyException when the session may not go on without an answer, and there is none
    Outcome current(Session session, @Nullable Span within) {
        long now = clock.millis();
        if (session.refreshToken().isEmpty() || now < session.renewAt()) {
            return rules.isToBeNoted(session, now) ? noted(session, now) : SAME;
        }
        if (failed.getIfPresent(session.version()) != null) return heldOn(session, null);
        if (now < session.accessEnds()) {
            return underWay.askUnlessAsked(session.version(), () -> renewed(session, within))
                    .orElse(SAME);
        }
        long patience = 2 * server.timeout().toNanos();
        return underWay.ask(server.origin().name(), session.version(), patience, () -> renewed(session, within));
    }

    /// Who renews a session writes it too, so only one of them does.
    private Outcome noted(Session session, long now) {
        return underWay.askUnlessAsked(session.version(), () -> noteUnlessRenewed(session.seenAt(now)))
                .orElse(SAME);
    }

    private Outcome noteUnlessRenewed(Session session) {
        if (sessions instanceof CookieSessions) return new Outcome.Next(session);
        ShortTermName lock = lock(session);
        if (!store.putIfAbsent(lock, new ShortTermValue("", server.timeout()))) return SAME;
        sessions.note(session);
        store.remove(lock);
        return SAME;
    }

    private Outcome renewed(Session session, @Nullable Span within) {
        try {
            Optional<Outcome> already = successor(session);
            if (already.isPresent()) return already.get();
            ShortTermName lock = lock(session);
            Duration longest = server.timeout().plus(Duration.ofSeconds(2));
            if (!store.putIfAbsent(lock, new ShortTermValue("", longest))) return elsewhere(session);
            Optional<Outcome> meanwhile = successor(session);
            if (meanwhile.isPresent()) return meanwhile.get();
            return asked(session, lock, within);
        } catch (DependencyException e) {
            return heldOn(session, e);
        }
    }

    private Outcome asked(Session session, ShortTermName lock, @Nullable Span within) {
        try {
            long asked = clock.millis();
            TokenEndpoint endpoint = provider.current().tokens();
            var form = new LinkedHashMap<String, String>();
            form.put("grant_type", "refresh_token");
            form.put("refresh_token", session.refreshToken().orElseThrow().reveal());
            return switch (endpoint.ask(form, within)) {
                case TokenAnswer.Given given -> next(session, given, asked);
                case TokenAnswer.Refused refused when refused.isOfGrant() -> over(session);
                case TokenAnswer.Refused refused -> throw refused.told(endpoint.name());
            };
        } catch (DependencyException e) {
            failed.put(session.version(), true);
            if (!failing) LOG.warn("{}: sessions cannot be renewed: {}", place, e.getMessage());
            failing = true;
            store.remove(lock);
            throw e;
        }
    }

    private Outcome next(Session session, TokenAnswer.Given given, long asked) {
        if (failing) LOG.info("{}: sessions can be renewed again", place);
        failing = false;
        long ends = asked + given.life().toMillis();
        var next = new Session(
                session.id(),
                session.generation() + 1,
                session.claims(),
                session.accessToken().map(_ -> given.token()),
                given.refresh().or(session::refreshToken),
                ends - ahead(given.life()).toMillis(),
                ends,
                session.began(),
                clock.millis());
        String sealed = opened.sealed(next);
        if (!ShortTermValue.fits(sealed) || !sessions.keep(next)) {
            LOG.warn("a session has become too large to be kept: forward or keep less, or keep sessions in the store");
            return over(session);
        }
        store.put(next(session), new ShortTermValue(sealed, GRACE));
        return new Outcome.Next(next);
    }

    private Outcome over(Session session) {
        sessions.end(session);
        return new Outcome.Over();
    }

    private Optional<Outcome> successor(Session session) {
        return store.get(next(session)).flatMap(opened::open).map(found -> new Outcome.Next(found.session()));
    }

    /// Another node is at it.
    private Outcome elsewhere(Session session) {
        long patience = System.nanoTime() + server.timeout().toNanos();
        while (clock.millis() >= session.accessEnds() && System.nanoTime() < patience) {
            Optional<Outcome> found = successor(session);
            if (found.isPresent()) return found.get();
            LockSupport.parkNanos(LOOK.toNanos());
        }
        return heldOn(session, null);
    }

    /// Nobody says whether it has ended: it goes on for as long as the definition lets it.
    private Outcome heldOn(Session session, @Nullable DependencyException why) {
        if (clock.millis() < session.accessEnds() + rules.stale().toMillis()) return SAME;
        if (why != null) throw why;
        throw new DependencyException(server.origin().name(), "a session cannot be renewed");
    }

    private ShortTermName next(Session session) {
        return ShortTermName.of(ShortTermUse.SESSION, place + "/next", session.version());
    }

    /// Never gives way to others.
    private ShortTermName lock(Session session) {
        return ShortTermName.of(ShortTermUse.REPLAY, place + "/renewing", session.version());
    }
}
