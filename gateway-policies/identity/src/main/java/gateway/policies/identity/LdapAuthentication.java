package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.policies.standard.CredentialRefusal;
import gateway.policies.standard.Credentials;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.PolicyPlace;
import gateway.policy.Services;
import gateway.policy.Verdict;
import gateway.service.WorkersBusyException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks a directory about each user and password, unless it has said a short while ago.
///
/// @param facts what the user's groups are found by, by the policies that follow
record LdapAuthentication(
        LdapDirectory directory, LdapAnswers answers, String challenge, String facts, boolean forwardCredential)
        implements AuthenticationPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(LdapAuth.class);
    private static final String HEADER = "Authorization";
    private static final int LONGEST_USER = 256;

    /// Remembered are answers of one directory, for one time.
    private record Remembered(LdapDirectory.Id directory, LdapAuth policy) {}

    static LdapAuthentication compile(LdapAuth spec, PolicyPlace place, Services services) {
        Optional<LdapDirectory.Own> own =
                spec.bind().map(it -> new LdapDirectory.Own(it.dn(), services.secret(it.password())));
        var id = new LdapDirectory.Id(spec.servers(), spec.users(), own);
        return new LdapAuthentication(
                services.shared(id, LdapDirectory.class, () -> new LdapDirectory(id)),
                services.shared(
                        new Remembered(id, spec),
                        LdapAnswers.class,
                        () -> new LdapAnswers(spec.cacheFor(), services.workers(), services.clock())),
                "Basic realm=\"" + place.api() + "\", charset=\"UTF-8\"",
                place.facts(),
                spec.forwardCredential());
    }

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        Optional<String> header = exchange.headers().first(HEADER);
        return header.isPresent() && Credentials.isBasic(header.get()) ? "header:authorization" : null;
    }

    @Override
    public void strip(Exchange exchange) {
        if (!forwardCredential) exchange.outgoing().headers().remove(HEADER);
    }

    @Override
    public Verdict apply(Exchange exchange) {
        Optional<String> header = exchange.headers().first(HEADER);
        strip(exchange);
        if (exchange.authenticationWaived()) return Verdict.proceed();
        if (header.isEmpty() || !Credentials.isBasic(header.get())) return refused(exchange, "missing");
        Optional<Credentials> given = Credentials.parse(header.get());
        if (given.isEmpty()) return refused(exchange, "invalid");
        String user = given.get().user();
        String password = new String(given.get().password(), StandardCharsets.UTF_8);
        // An empty password would bind as nobody, and so be right for everybody (RFC 4513 §5.1.2).
        if (user.isEmpty() || password.isEmpty() || user.length() > LONGEST_USER) return refused(exchange, "invalid");
        return decide(exchange, user, password);
    }

    private Verdict decide(Exchange exchange, String user, String password) {
        TokenDigest digest = TokenDigest.ofUtf8(user.length() + ":" + user + password);
        LdapAnswer known = answers.remembered(digest);
        try {
            LdapAnswer answer = known == null ? answers.ask(digest, () -> directory.ask(user, password)) : known;
            return switch (answer) {
                case LdapAnswer.Right right -> admit(exchange, right);
                case LdapAnswer.Wrong(String why) -> {
                    LOG.debug("{}: a user is refused: {}", exchange.api(), why);
                    yield refused(exchange, "invalid");
                }
            };
        } catch (WorkersBusyException e) {
            String detail = "Too many passwords wait to be verified";
            return Verdict.stop(Problem.of("authentication-busy", 503, "Service unavailable", detail)
                    .toResponse(exchange.requestId())
                    .with("Retry-After", "1"));
        }
    }

    private Verdict admit(Exchange exchange, LdapAnswer.Right right) {
        exchange.found(facts, right.claims());
        exchange.found(Exchange.CLAIMS, right.claims());
        exchange.authenticated(right.caller());
        return Verdict.proceed();
    }

    private Verdict refused(Exchange exchange, String why) {
        return CredentialRefusal.unauthenticated(exchange, challenge, "The user name and password are " + why);
    }
}
