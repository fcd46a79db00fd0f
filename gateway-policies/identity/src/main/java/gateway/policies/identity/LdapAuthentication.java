package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.policies.standard.BasicScheme;
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
record LdapAuthentication(LdapDirectory directory, LdapAnswers answers, BasicScheme scheme, String facts)
        implements AuthenticationPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(LdapAuth.class);
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
                BasicScheme.of(place.api(), spec.forwardCredential()),
                place.facts());
    }

    @Override
    public @Nullable String shownAt(Exchange exchange) {
        return scheme.shownAt(exchange);
    }

    @Override
    public void strip(Exchange exchange) {
        scheme.strip(exchange);
    }

    @Override
    public String challenge() {
        return scheme.challenge();
    }

    @Override
    public Verdict apply(Exchange exchange) {
        return scheme.apply(exchange, given -> judged(exchange, given));
    }

    private Verdict judged(Exchange exchange, Credentials given) {
        String user = given.user();
        String password = new String(given.password(), StandardCharsets.UTF_8);
        // An empty password would bind as nobody, and so be right for everybody (RFC 4513 §5.1.2).
        boolean couldBeRight = !user.isEmpty() && !password.isEmpty() && user.length() <= LONGEST_USER;
        return couldBeRight ? decide(exchange, user, password) : scheme.invalid(exchange);
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
                    yield scheme.invalid(exchange);
                }
            };
        } catch (WorkersBusyException e) {
            return BasicScheme.busy(exchange);
        }
    }

    private Verdict admit(Exchange exchange, LdapAnswer.Right right) {
        exchange.found(facts, right.claims());
        exchange.found(Exchange.CLAIMS, right.claims());
        exchange.authenticated(right.caller());
        return Verdict.proceed();
    }
}
