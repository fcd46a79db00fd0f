package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.policy.Verdict;
import java.util.Optional;

/// Whether a key opens what a request asks for.
final class Grants {
    private Grants() {}

    /// Proceeds, or says with 403 what of API, version and path the key does not open.
    static Verdict decide(Exchange exchange, ApiKey key) {
        Optional<ApiGrant> grant = key.grant(exchange.api());
        if (grant.isEmpty()) return CredentialRefusal.forbidden(exchange, "The API key does not open this API");
        if (!grant.get().opens(exchange.version())) {
            return CredentialRefusal.forbidden(exchange, "The API key does not open this version of the API");
        }
        if (!grant.get().covers(exchange.method(), exchange.pathInApi())) {
            return CredentialRefusal.forbidden(exchange, "The API key does not open this path with this method");
        }
        return Verdict.proceed();
    }
}
