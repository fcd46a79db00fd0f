package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.service.ShortTerm;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Sessions in the store, sealed there too; browsers keep an id that nobody can guess.
///
/// @param place whose they are
record StoredSessions(ShortTerm store, String place, OpenedSessions opened, SessionRules rules, InstantSource clock)
        implements Sessions {
    /// Longer than whatever writes a session takes to do so.
    private static final Duration ENDED = Duration.ofMinutes(5);

    @Override
    public Optional<OpenedSession> find(Exchange exchange, GatewayCookies cookies) {
        Optional<String> id = exchange.cookie(cookies.session());
        return id.isPresent() && RandomText.isOne(id.get()) ? find(id.get()) : Optional.empty();
    }

    private Optional<OpenedSession> find(String id) {
        return store.get(name(id))
                .flatMap(opened::open)
                .filter(found -> found.session().id().equals(id));
    }

    @Override
    public boolean keep(Session session) {
        String sealed = opened.sealed(session);
        if (!ShortTermValue.fits(sealed)) return false;
        store.put(name(session.id()), new ShortTermValue(sealed, rules.left(session, clock.millis())));
        // Whoever ends it meanwhile has first said so: one that was ended is not kept by one who found it before.
        if (store.get(ended(session.id())).isPresent()) store.remove(name(session.id()));
        return true;
    }

    @Override
    public boolean note(Session session) {
        Optional<OpenedSession> now = find(session.id());
        if (now.isPresent() && now.get().session().generation() == session.generation()) keep(session);
        return false;
    }

    @Override
    public void end(Session session) {
        store.put(ended(session.id()), new ShortTermValue("", ENDED));
        store.remove(name(session.id()));
    }

    @Override
    public List<String> lines(Session session, Exchange exchange, GatewayCookies cookies) {
        return List.of(cookies.kept(cookies.session(), session.id()));
    }

    private ShortTermName name(String id) {
        return ShortTermName.of(ShortTermUse.SESSION, place, id);
    }

    private ShortTermName ended(String id) {
        return ShortTermName.of(ShortTermUse.SESSION, place + "/ended", id);
    }
}
