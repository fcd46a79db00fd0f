package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.policy.Verdict;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The scheme `Basic` of `Authorization` (RFC 7617), as policies take it and ask for it.
///
/// @param challenge of a 401
/// @param forwardCredential leave the password in the request that the upstream sees
public record BasicScheme(String challenge, boolean forwardCredential) {
    private static final String HEADER = "Authorization";

    public static BasicScheme of(String realm, boolean forwardCredential) {
        return new BasicScheme("Basic realm=\"" + realm + "\", charset=\"UTF-8\"", forwardCredential);
    }

    public @Nullable String shownAt(Exchange exchange) {
        Optional<String> header = exchange.headers().first(HEADER);
        return header.isPresent() && Credentials.isBasic(header.get()) ? "header:authorization" : null;
    }

    public void strip(Exchange exchange) {
        if (!forwardCredential) exchange.outgoing().headers().remove(HEADER);
    }

    /// @param decide by a user and a password that could be right
    public Verdict apply(Exchange exchange, Function<Credentials, Verdict> decide) {
        Optional<String> header = exchange.headers().first(HEADER);
        strip(exchange);
        if (exchange.authenticationWaived()) return Verdict.proceed();
        if (header.isEmpty() || !Credentials.isBasic(header.get())) return refused(exchange, "missing");
        Optional<Credentials> given = Credentials.parse(header.get());
        return given.isEmpty() ? invalid(exchange) : decide.apply(given.get());
    }

    public Verdict invalid(Exchange exchange) {
        return refused(exchange, "invalid");
    }

    private Verdict refused(Exchange exchange, String why) {
        return CredentialRefusal.unauthenticated(exchange, challenge, "The user name and password are " + why);
    }

    public static Verdict busy(Exchange exchange) {
        String detail = "Too many passwords wait to be verified";
        return Verdict.stop(Problem.of("authentication-busy", 503, "Service unavailable", detail)
                .toResponse(exchange.requestId())
                .with("Retry-After", "1"));
    }
}
