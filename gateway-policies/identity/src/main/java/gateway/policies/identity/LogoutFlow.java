package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policies.cryptography.TokenFlaw;
import gateway.policies.standard.CredentialRefusal;
import gateway.policy.Verdict;
import gateway.service.DependencyException;
import gateway.service.ShortTerm;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends sessions: of whoever logs out here (OpenID Connect RP-Initiated Logout 1.0), and of those who have logged out
/// at
/// the provider, as it says itself (OpenID Connect Back-Channel Logout 1.0).
///
/// @param place names sessions that have ended
record LogoutFlow(
        Oidc oidc,
        FetchedProvider provider,
        IdTokens tokens,
        Sessions sessions,
        ShortTerm ended,
        InstantSource clock,
        String place) {
    private static final Logger LOG = LoggerFactory.getLogger(Oidc.class);
    private static final int MOST_BYTES = 64 << 10;

    /// Ends the browser's session here, and sends it to the provider, which then ends its own.
    Verdict logout(Exchange exchange, GatewayCookies cookies) {
        boolean foreign = exchange.headers()
                .first("Sec-Fetch-Site")
                .filter("cross-site"::equals)
                .isPresent();
        if (foreign) return CredentialRefusal.forbidden(exchange, "Another site may not log anybody out");
        Optional<OpenedSession> session = sessions.find(exchange, cookies);
        session.ifPresent(found -> sessions.end(found.session()));
        var gone = new ArrayList<>(cookies.goneParts(exchange, 0));
        gone.add(cookies.gone(cookies.finished()));
        return Verdict.answer(LoginPage.setting(next(exchange, session.isPresent()), gone));
    }

    private Response next(Exchange exchange, boolean hadSession) {
        Optional<String> wished = FormParameters.parse(exchange.head().query()).flatMap(form -> form.find("return"));
        Optional<URI> after = oidc.places().after(wished);
        Optional<URI> there = hadSession ? endSession() : Optional.empty();
        if (there.isPresent()) {
            var form = new LinkedHashMap<String, String>();
            form.put("client_id", oidc.provider().client().id());
            after.ifPresent(place -> form.put("post_logout_redirect_uri", place.toString()));
            return LoginPage.redirect(LoginFlow.withQuery(there.get(), TokenClient.encoded(form)));
        }
        return after.map(place -> LoginPage.redirect(place.toString()))
                .orElseGet(() -> LoginPage.notice("You are logged out"));
    }

    /// The session here has ended, whether the provider can be told or not.
    private Optional<URI> endSession() {
        try {
            return provider.current().endSession();
        } catch (DependencyException e) {
            LOG.debug("{}: somebody has logged out here alone: {}", place, e.getMessage());
            return Optional.empty();
        }
    }

    /// Hears from the provider that one of its sessions has ended.
    Verdict backChannel(Exchange exchange) {
        if (!exchange.method().equals("POST"))
            return Verdict.stop(refusal(405, exchange).with("Allow", "POST"));
        String form = new String(exchange.body().bytes(MOST_BYTES), StandardCharsets.UTF_8);
        String token = FormParameters.parse(form)
                .map(parameters -> parameters.text("logout_token"))
                .orElse("");
        return switch (tokens.logout(token, clock.millis())) {
            case Checked.Bad<String>(TokenFlaw flaw) -> {
                LOG.debug("{}: a logout token is refused: {}", place, flaw);
                yield Verdict.stop(refusal(400, exchange));
            }
            case Checked.Good<String>(String session) -> {
                ended.putIfAbsent(
                        name(session), new ShortTermValue("", oidc.session().total()));
                yield Verdict.answer(LoginPage.unkept(Response.of(200)));
            }
        };
    }

    private static Response refusal(int status, Exchange exchange) {
        return LoginPage.unkept(
                Problem.of("logout-refused", status, "Logout refused", "Expected a POST of a logout token")
                        .toResponse(exchange.requestId()));
    }

    /// Whether the provider has said that it has ended the session.
    boolean hasEnded(Session session) {
        if (oidc.places().backChannel().isEmpty()) return false;
        String name = session.providerSession();
        return !name.isEmpty() && ended.get(name(name)).isPresent();
    }

    /// Never gives way to others: who has logged out stays so.
    private ShortTermName name(String session) {
        return ShortTermName.of(ShortTermUse.REPLAY, place + "/ended", session);
    }
}
