package gateway.policies.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;

/// Opens sessions that are kept sealed, and remembers those that it has opened by the whole sealed text.
final class OpenedSessions {
    private static final long MOST_BYTES = 16 << 20;
    private static final int OVERHEAD = 1_024; // of an entry, whatever it says
    private static final int EXPANSION = 6; // of a sealed text to the session and the tree of its claims
    private static final String PURPOSE = "session";

    private final SealedText seal;
    private final ConsumerClaims consumer;
    private final SessionForwarding forwarding;
    private final String prefix;
    private final Cache<String, OpenedSession> opened = Caffeine.newBuilder()
            .maximumWeight(MOST_BYTES)
            .weigher((String text, OpenedSession _) -> OVERHEAD + EXPANSION * text.length())
            .executor(Runnable::run)
            .build();

    /// @param prefix of the callers' ids
    OpenedSessions(SealedText seal, ConsumerClaims consumer, SessionForwarding forwarding, String prefix) {
        this.seal = seal;
        this.consumer = consumer;
        this.forwarding = forwarding;
        this.prefix = prefix;
    }

    String sealed(Session session) {
        return seal.seal(session.toJson(), PURPOSE);
    }

    /// Empty when it was not sealed here.
    Optional<OpenedSession> open(String sealed) {
        OpenedSession known = opened.getIfPresent(sealed);
        if (known != null) return Optional.of(known);
        Optional<OpenedSession> found =
                seal.open(sealed, PURPOSE).flatMap(Session::ofJson).flatMap(this::of);
        found.ifPresent(session -> opened.put(sealed, session));
        return found;
    }

    /// Empty when its claims do not say who it is.
    Optional<OpenedSession> of(Session session) {
        return TokenSubject.of(consumer, session.claims(), prefix)
                .map(subject -> new OpenedSession(session, subject, forwarding.headers(session)));
    }
}
