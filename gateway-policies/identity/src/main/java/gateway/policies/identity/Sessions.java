package gateway.policies.identity;

import gateway.http.Exchange;
import java.util.List;
import java.util.Optional;

/// Where the sessions of one policy are.
sealed interface Sessions permits StoredSessions, CookieSessions {
    /// The session that a request shows, ended or not.
    ///
    /// @throws gateway.service.DependencyException when that cannot be known
    Optional<OpenedSession> find(Exchange exchange, GatewayCookies cookies);

    /// Keeps it, in place of what was there under its id.
    ///
    /// @return whether there is room for one of its size
    /// @throws gateway.service.DependencyException when it cannot be kept
    boolean keep(Session session);

    /// Notes that it is in use, unless it has changed meanwhile.
    ///
    /// @return whether the browser has to be told
    boolean note(Session session);

    /// Ends it, where that is known of.
    void end(Session session);

    /// Lines of `Set-Cookie` by which the browser shows it from now on.
    List<String> lines(Session session, Exchange exchange, GatewayCookies cookies);
}
