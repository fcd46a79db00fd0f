package gateway.policies.identity;

import gateway.http.Exchange;
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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Sends browsers to the provider, and makes sessions of what they come back with (OpenID Connect Core 1.0 §3.1, with
/// PKCE, RFC 7636, and RFC 9207).
///
/// @param place names codes that have come
/// @param challenge of a 401
record LoginFlow(
        Oidc oidc,
        FetchedProvider provider,
        IdTokens tokens,
        Sessions sessions,
        OpenedSessions opened,
        LoginAttempts attempts,
        ShortTerm used,
        InstantSource clock,
        String place,
        String challenge,
        TokenMeters meters) {
    private static final Logger LOG = LoggerFactory.getLogger(Oidc.class);
    private static final int LONGEST_CODE = 4_096;
    private static final String AGAIN = "Logging in has not worked";

    /// Answers one who has no session.
    Verdict begin(Exchange exchange, GatewayCookies cookies) {
        if (!oidc.unauthenticated().redirects(exchange)) {
            return CredentialRefusal.unauthenticated(exchange, challenge, "The session is missing");
        }
        long now = clock.millis();
        if (attempts.isInLoop(exchange, cookies, now)) {
            LOG.debug("{}: a browser has logged in three times within a minute and shows no session", place);
            return refused(exchange, 401, "Your browser does not keep the session", LoginPlaces.wanted(exchange));
        }
        ProviderMetadata metadata = provider.current();
        String callback = PublicOrigin.of(exchange)
                + LoginPlaces.prefix(exchange)
                + oidc.places().callback();
        var attempt = LoginAttempt.begin(callback, LoginPlaces.wanted(exchange), now);
        Response response = LoginPage.redirect(question(metadata, attempt)).because("unauthenticated");
        return Verdict.stop(LoginPage.setting(response, List.of(attempts.kept(attempt, exchange, cookies))));
    }

    private String question(ProviderMetadata metadata, LoginAttempt attempt) {
        var form = new LinkedHashMap<>(oidc.provider().parameters());
        form.put("response_type", "code");
        form.put("client_id", oidc.provider().client().id());
        form.put("redirect_uri", attempt.redirect());
        form.put("scope", String.join(" ", oidc.provider().scopes()));
        form.put("state", attempt.state());
        form.put("nonce", attempt.nonce());
        form.put("code_challenge", attempt.challenge());
        form.put("code_challenge_method", "S256");
        return withQuery(metadata.authorization(), TokenClient.encoded(form));
    }

    static String withQuery(URI place, String query) {
        return place + (place.getRawQuery() == null ? "?" : "&") + query;
    }

    /// Answers one whom the provider has sent back.
    Verdict finish(Exchange exchange, GatewayCookies cookies) {
        if (!exchange.method().equals("GET")) return refused(exchange, 405, AGAIN, LoginPlaces.home(exchange));
        Optional<FormParameters> answer = FormParameters.parse(exchange.head().query());
        Optional<LoginAttempts.Found> found =
                answer.flatMap(form -> attempts.find(form.text("state"), exchange, cookies, clock.millis()));
        if (found.isEmpty())
            return refused(exchange, 400, AGAIN, LoginPlaces.home(exchange)); // of another browser, or too late
        Verdict verdict = finish(exchange, cookies, answer.get(), found.get().attempt());
        return LoginPage.setting(verdict, List.of(cookies.gone(found.get().cookie())));
    }

    private Verdict finish(Exchange exchange, GatewayCookies cookies, FormParameters answer, LoginAttempt attempt) {
        ProviderMetadata metadata = provider.current();
        Optional<String> issuer = answer.find("iss");
        boolean own = issuer.isPresent() ? issuer.get().equals(oidc.provider().issuer()) : !metadata.tellsIssuer();
        if (!own) return failed(exchange, "an answer of another issuer", attempt);
        if (answer.find("error").isPresent()) return failed(exchange, "the provider says no", attempt);
        String code = answer.text("code");
        if (code.isEmpty() || code.length() > LONGEST_CODE)
            return failed(exchange, "an answer without a code", attempt);
        var once = ShortTermName.of(ShortTermUse.REPLAY, place + "/login", attempt.state());
        if (!used.putIfAbsent(once, new ShortTermValue("", LoginAttempt.LONGEST))) {
            return failed(exchange, "an answer that has come before", attempt);
        }
        long asked = clock.millis();
        return switch (redeemed(metadata, code, attempt, exchange)) {
            case TokenAnswer.Given given -> believed(exchange, cookies, given, attempt, asked);
            case TokenAnswer.Refused refused
            when refused.isOfGrant() -> failed(exchange, "the code is refused", attempt);
            case TokenAnswer.Refused refused -> {
                DependencyException why = refused.told(metadata.tokens().name());
                LOG.warn("{}: {}", place, why.getMessage());
                throw why;
            }
        };
    }

    private static TokenAnswer redeemed(
            ProviderMetadata metadata, String code, LoginAttempt attempt, Exchange exchange) {
        var form = new LinkedHashMap<String, String>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", attempt.redirect());
        form.put("code_verifier", attempt.verifier());
        return metadata.tokens().ask(form, exchange.span());
    }

    private Verdict believed(
            Exchange exchange, GatewayCookies cookies, TokenAnswer.Given given, LoginAttempt attempt, long asked) {
        if (given.idToken().isEmpty()) return failed(exchange, "the provider gives no ID token", attempt);
        String access = given.token().reveal();
        return switch (tokens.login(given.idToken().get(), attempt.nonce(), access, clock.millis())) {
            case Checked.Bad<JsonNode>(TokenFlaw flaw) -> {
                LOG.warn("{}: an ID token of the provider is refused: {}", place, flaw);
                yield failed(exchange, "no good ID token", attempt);
            }
            case Checked.Good<JsonNode>(JsonNode claims) -> {
                Session session = oidc.session(claims, given, asked, clock.millis());
                yield opened.of(session).isEmpty()
                        ? failed(exchange, "the claims do not say who it is", attempt)
                        : begun(exchange, cookies, session, attempt);
            }
        };
    }

    /// What the browser had before ends, so that nobody has prepared it.
    private Verdict begun(Exchange exchange, GatewayCookies cookies, Session session, LoginAttempt attempt) {
        if (!sessions.keep(session)) {
            LOG.warn("{}: a session is too large to be kept: forward or keep less, or keep it in the store", place);
            return refused(exchange, 401, "The session is too large", attempt.wanted());
        }
        sessions.find(exchange, cookies).ifPresent(old -> sessions.end(old.session()));
        meters.verified(exchange);
        var lines = new ArrayList<>(sessions.lines(session, exchange, cookies));
        lines.add(attempts.finished(exchange, cookies, clock.millis()));
        String wanted = LoginPlaces.isPath(attempt.wanted()) ? attempt.wanted() : "/";
        return Verdict.answer(LoginPage.setting(LoginPage.redirect(wanted), lines));
    }

    private Verdict failed(Exchange exchange, String why, LoginAttempt attempt) {
        LOG.debug("{}: a login has failed: {}", place, why);
        return refused(exchange, 400, AGAIN, attempt.wanted());
    }

    private Verdict refused(Exchange exchange, int status, String words, String back) {
        meters.refused(exchange);
        Response response = LoginPage.refusal(status, "login-failed", words, back);
        if (status == 401) response.headers().set("WWW-Authenticate", challenge);
        if (status == 405) response.headers().set("Allow", "GET");
        return Verdict.stop(response);
    }
}
