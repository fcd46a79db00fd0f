package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.HeaderField;
import gateway.http.Headers;
import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.policies.standard.CredentialRefusal;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.PolicyPlace;
import gateway.policy.Services;
import gateway.policy.Verdict;
import gateway.service.ServerCalls;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks each request for a session, and answers those that are the gateway's own.
///
/// @param facts what the claims are found by, by the policies that follow
record OidcAuthentication(
        Oidc oidc,
        Sessions sessions,
        OpenedSessions opened,
        SessionRenewal renewal,
        LoginFlow logins,
        LogoutFlow logouts,
        GatewayCookies secure,
        GatewayCookies plain,
        KeyedCallers keyed,
        InstantSource clock,
        String facts,
        String challenge,
        TokenMeters meters)
        implements AuthenticationPolicy {
    /// All that a session was made by: where it differs, nothing is shared.
    private record Id(Oidc oidc, String place, Secret key, ClientProof client) {}

    private record RenewalId(Id all) {}

    static OidcAuthentication compile(Oidc oidc, PolicyPlace placement, Services services) {
        OpenIdProvider server = oidc.provider();
        ServerCalls calls = services.calls().to(server.origin().target(), "", "issuer");
        ClientProof client = server.client().ready(server.issuer(), "/client", services);
        FetchedProvider provider = FetchedProvider.of(server, client, calls, services);
        Secret key = key(oidc, services);
        String place = placement.counter();
        SealedText seal = SealedText.of(key, place);
        String prefix = "oidc:" + server.name() + '/';
        var all = new Id(oidc, place, key, client);
        var opened = services.shared(
                all, OpenedSessions.class, () -> new OpenedSessions(seal, oidc.consumer(), oidc.forward(), prefix));
        var store = services.shortTerm();
        InstantSource clock = services.clock();
        Sessions sessions = switch (oidc.session().in()) {
            case STORE -> new StoredSessions(store, place, opened, oidc.session(), clock);
            case COOKIE -> new CookieSessions(opened);
        };
        SessionRenewal renewal = services.shared(
                new RenewalId(all),
                SessionRenewal.class,
                () -> new SessionRenewal(provider, server, sessions, opened, oidc.session(), store, place, clock));
        IdTokens tokens = IdTokens.compile(server, placement, services);
        String challenge = "Cookie realm=\"" + placement.api() + '"';
        TokenMeters meters = TokenMeters.of(services.meters(), "oidc");
        String name = oidc.session().cookie().orElse("__Host-gw-" + placement.api());
        var attempts = new LoginAttempts(seal);
        return new OidcAuthentication(
                oidc,
                sessions,
                opened,
                renewal,
                new LoginFlow(
                        oidc, provider, tokens, sessions, opened, attempts, store, clock, place, challenge, meters),
                new LogoutFlow(oidc, provider, tokens, sessions, store, clock, place),
                GatewayCookies.of(name, true),
                GatewayCookies.of(name, false),
                KeyedCallers.of(services),
                clock,
                placement.facts(),
                challenge,
                meters);
    }

    private static Secret key(Oidc oidc, Services services) {
        Secret key = services.secret(oidc.session().key());
        int bytes = key.reveal().getBytes(StandardCharsets.UTF_8).length;
        if (bytes < SessionRules.KEY_BYTES) {
            throw new InvalidConfigException(
                    "/session/key", "expected a secret of at least " + SessionRules.KEY_BYTES + " bytes");
        }
        return key;
    }

    /// One of several is asked about a person who opens a page too, who has nothing to show yet.
    @Override
    public @Nullable String shownAt(Exchange exchange) {
        String cookie = cookies(exchange).session();
        if (exchange.cookie(cookie).isPresent()) return "cookie:" + cookie;
        if (answersItself(exchange)) return "path";
        return oidc.unauthenticated().redirects(exchange) && Unauthenticated.isNavigation(exchange)
                ? "navigation"
                : null;
    }

    @Override
    public boolean answersItself(Exchange exchange) {
        return oidc.places().isOwn(exchange.pathInApi());
    }

    @Override
    public void strip(Exchange exchange) {
        Headers headers = exchange.outgoing().headers();
        oidc.forward().strip(headers);
        secure.strip(headers);
    }

    @Override
    public void withhold(Exchange exchange, String shown) {
        Headers headers = exchange.outgoing().headers();
        oidc.forward().stripAllBut(shown, headers);
        secure.strip(headers);
    }

    @Override
    public String challenge() {
        return challenge;
    }

    private GatewayCookies cookies(Exchange exchange) {
        return PublicOrigin.isSecure(exchange) ? secure : plain;
    }

    @Override
    public Verdict apply(Exchange exchange) {
        String path = exchange.pathInApi();
        boolean own = answersItself(exchange);
        if (exchange.authenticationWaived() && !own) {
            strip(exchange);
            return Verdict.proceed();
        }
        if (!PublicOrigin.isPrivate(exchange)) {
            return CredentialRefusal.forbidden(exchange, "People log in by https only");
        }
        GatewayCookies cookies = cookies(exchange);
        if (oidc.places().isLogout(path)) return logouts.logout(exchange, cookies);
        if (oidc.places().isBackChannel(path)) return logouts.backChannel(exchange);
        return own ? logins.finish(exchange, cookies) : decide(exchange, cookies);
    }

    private Verdict decide(Exchange exchange, GatewayCookies cookies) {
        Optional<OpenedSession> found = sessions.find(exchange, cookies);
        if (found.isEmpty()) return logins.begin(exchange, cookies);
        Session session = found.get().session();
        if (oidc.session().isOver(session, clock.millis()) || logouts.hasEnded(session)) {
            return logins.begin(exchange, cookies);
        }
        return switch (renewal.current(session, exchange.span())) {
            case SessionRenewal.Outcome.Same() -> admit(exchange, found.get(), List.of());
            case SessionRenewal.Outcome.Next(Session next) ->
                admit(exchange, opened.of(next).orElseThrow(), sessions.lines(next, exchange, cookies));
            case SessionRenewal.Outcome.Over() -> logins.begin(exchange, cookies);
        };
    }

    private Verdict admit(Exchange exchange, OpenedSession session, List<String> lines) {
        meters.remembered(exchange);
        strip(exchange);
        Headers headers = exchange.outgoing().headers();
        for (HeaderField each : session.forwarded()) headers.set(each);
        return LoginPage.setting(session.subject().admit(exchange, facts, keyed, challenge), lines);
    }
}
