package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.policies.cryptography.KeySet;
import gateway.policies.cryptography.TokenFlaw;
import gateway.policies.standard.KeyedCallers;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.PolicyPlace;
import gateway.policy.Services;
import gateway.policy.Verdict;
import gateway.service.ServerCalls;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Asks a server about each token, unless it has answered a short while ago.
///
/// @param signed empty: no signature is asked for
/// @param facts what the answer is found by, by the policies that follow
record IntrospectionAuthentication(
        OAuth2Introspection spec,
        Optional<SignedTokens> signed,
        Introspection introspection,
        IntrospectedTokens tokens,
        KeyedCallers keyed,
        InstantSource clock,
        String facts,
        BearerChallenge asked,
        TokenMeters meters)
        implements AuthenticationPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(OAuth2Introspection.class);

    /// All that tokens are judged by: where it differs, nothing is shared.
    private record Asked(
            IntrospectionServer server,
            IntrospectionRules rules,
            IntrospectionTimes times,
            String hint,
            int concurrency,
            List<TokenIssuer> localFirst,
            List<KeySet> local) {}

    static IntrospectionAuthentication compile(OAuth2Introspection spec, PolicyPlace placement, Services services) {
        IntrospectionServer server = spec.server();
        IntrospectionTimes times = spec.times();
        ClientProof client = server.client().ready(server.url().toString(), "/client", services);
        ServerCalls calls = services.calls().to(server.target(), "");
        var introspection = new Introspection(server, calls, client, spec.hint(), times.timeout());
        Optional<SignedTokens> signed = signed(spec, placement, services);
        List<KeySet> local = signed.map(SignedTokens::local).orElse(List.of());
        var asked = new Asked(server, spec.rules(), times, spec.hint(), spec.concurrency(), spec.localFirst(), local);
        var tokens = services.shared(
                new IntrospectedTokens.Id(asked),
                IntrospectedTokens.class,
                () -> IntrospectedTokens.create(times, spec.concurrency(), services.clock()));
        return new IntrospectionAuthentication(
                spec,
                signed,
                introspection,
                tokens,
                KeyedCallers.of(services),
                services.clock(),
                placement.facts(),
                BearerChallenge.of(placement.api()),
                TokenMeters.of(services.meters(), "oauth2-introspection"));
    }

    private static Optional<SignedTokens> signed(OAuth2Introspection spec, PolicyPlace place, Services services) {
        if (spec.localFirst().isEmpty()) return Optional.empty();
        Duration timeout = spec.times().timeout();
        return Optional.of(SignedTokens.compile(spec.localFirst(), "/localFirst", timeout, place, services));
    }

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        return spec.places().shownAt(exchange);
    }

    @Override
    public void strip(Exchange exchange) {
        if (!spec.forwardCredential()) spec.places().strip(exchange);
    }

    @Override
    public String challenge() {
        return asked.plain();
    }

    @Override
    public Verdict apply(Exchange exchange) {
        boolean waived = exchange.authenticationWaived();
        List<String> found = waived ? List.of() : spec.places().tokens(exchange);
        strip(exchange);
        if (waived) return Verdict.proceed();
        if (found.isEmpty()) return asked.missing(exchange);
        if (found.size() > 1) return BearerChallenge.ambiguous(exchange);
        String token = found.getFirst();
        return isToken(token) ? decide(exchange, token) : refused(exchange, TokenFlaw.MALFORMED);
    }

    /// Whether it has the form of one (RFC 6750 §2.1): nothing else is passed on to the server.
    private static boolean isToken(String text) {
        if (text.length() > CompactToken.LONGEST) return false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!letter && "-._~+/=".indexOf(c) < 0) return false;
        }
        return true;
    }

    private Verdict decide(Exchange exchange, String text) {
        TokenDigest digest = TokenDigest.of(text);
        ActiveToken known = tokens.fresh(digest);
        if (known != null) {
            meters.remembered(exchange);
            return admit(exchange, known);
        }
        return switch (tokens.answer(spec.server().target().name(), digest, asked -> judged(exchange, text, asked))) {
            case IntrospectedTokens.Answer.Active(ActiveToken token) -> {
                meters.verified(exchange);
                yield admit(exchange, token);
            }
            case IntrospectedTokens.Answer.Refused(TokenFlaw why) -> refused(exchange, why);
        };
    }

    private IntrospectedTokens.Answer judged(Exchange exchange, String text, long asked) {
        Optional<TokenFlaw> unsigned = signed.flatMap(known -> flaw(known.verify(text)));
        if (unsigned.isPresent()) return new IntrospectedTokens.Answer.Refused(unsigned.get());
        Optional<JsonNode> said = introspection.ask(text, exchange.span());
        if (said.isEmpty()) return new IntrospectedTokens.Answer.Refused(TokenFlaw.INACTIVE);
        Optional<TokenFlaw> flaw = spec.rules().flaw(said.get(), clock.millis());
        if (flaw.isPresent()) return new IntrospectedTokens.Answer.Refused(flaw.get());
        Optional<TokenSubject> subject = subject(said.get());
        if (subject.isEmpty()) return new IntrospectedTokens.Answer.Refused(TokenFlaw.SUBJECT);
        long expires = spec.rules().times().end(said.get()).orElse(Long.MAX_VALUE);
        return tokens.active(subject.get(), asked, expires, text.length());
    }

    private Optional<TokenSubject> subject(JsonNode said) {
        boolean several = spec.rules().issuers().size() > 1;
        String prefix = spec.server().prefix(IssuerName.issuer(said), several);
        return TokenSubject.of(spec.rules().consumer(), said, prefix);
    }

    /// Of its claims only the times count here: the server says the rest.
    private Optional<TokenFlaw> flaw(Checked<SignedToken> checked) {
        return switch (checked) {
            case Checked.Bad<SignedToken>(TokenFlaw flaw) -> Optional.of(flaw);
            case Checked.Good<SignedToken>(SignedToken found) ->
                spec.rules().times().flaw(found.token().claims(), clock.millis());
        };
    }

    private Verdict admit(Exchange exchange, ActiveToken token) {
        return token.subject().admit(exchange, facts, keyed, asked.invalid());
    }

    private Verdict refused(Exchange exchange, TokenFlaw flaw) {
        meters.refused(exchange);
        LOG.debug("{}: a token is refused: {}", exchange.api(), flaw);
        return asked.refused(exchange, flaw);
    }
}
