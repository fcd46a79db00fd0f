package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.key.KeyHolder;
import gateway.key.Plan;
import gateway.key.Plans;
import gateway.policy.Verdict;
import java.util.Optional;

/// Whether a key, or its plan, opens what a request asks for.
final class Grants {
    private Grants() {}

    /// Names the key's holder as the caller and proceeds, or says with 403 what of API, version and path neither the
    /// key nor its plan opens.
    static Verdict decide(Exchange exchange, ApiKey key, Plans plans) {
        if (key.plan().isEmpty()) {
            exchange.authenticated(key);
            return decide(exchange, key.grant(exchange.api()), Optional.empty());
        }
        Optional<Plan> plan = plans.find(key.plan().get());
        exchange.authenticated(plan.isEmpty() ? key : new KeyHolder(key, plan.get()));
        if (plan.isEmpty()) return CredentialRefusal.forbidden(exchange, "The plan of the API key does not exist");
        return decide(exchange, key.grant(exchange.api()), plan.get().grant(exchange.api()));
    }

    private static Verdict decide(Exchange exchange, Optional<ApiGrant> own, Optional<ApiGrant> ofPlan) {
        if (own.isEmpty() && ofPlan.isEmpty()) {
            return CredentialRefusal.forbidden(exchange, "The API key does not open this API");
        }
        boolean opensVersion = own.isPresent() && own.get().opens(exchange.version());
        boolean planOpensVersion = ofPlan.isPresent() && ofPlan.get().opens(exchange.version());
        if (!opensVersion && !planOpensVersion) {
            return CredentialRefusal.forbidden(exchange, "The API key does not open this version of the API");
        }
        boolean covered =
                (opensVersion && covers(own.get(), exchange)) || (planOpensVersion && covers(ofPlan.get(), exchange));
        if (covered) return Verdict.proceed();
        return CredentialRefusal.forbidden(exchange, "The API key does not open this path with this method");
    }

    private static boolean covers(ApiGrant grant, Exchange exchange) {
        if (!grant.paths().isEmpty() && exchange.hasUnaskedParameters()) return false;
        return grant.covers(exchange.method(), exchange.pathInApi());
    }
}
