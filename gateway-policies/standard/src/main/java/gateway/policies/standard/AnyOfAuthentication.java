package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.NestedPolicy;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Looks for the credentials of several policies and has the first that is there judged.
record AnyOfAuthentication(List<Way> ways, boolean takesFirst, Optional<Guest> anonymous) implements Policy {
    private static final int NONE = -1;

    /// @param policy what `nested` has become
    record Way(NestedPolicy nested, AuthenticationPolicy policy) {
        Verdict ask(Exchange exchange) {
            return nested.ask(policy, exchange);
        }
    }

    AnyOfAuthentication {
        ways = List.copyOf(ways);
    }

    @Override
    public Verdict apply(Exchange exchange) {
        if (exchange.authenticationWaived()) return waived(exchange);
        int chosen = NONE;
        String place = "";
        boolean others = false;
        for (int i = 0; i < ways.size(); i++) {
            String shown = ways.get(i).policy().shownAt(exchange);
            if (shown == null) continue;
            if (chosen == NONE) {
                chosen = i;
                place = shown;
            } else if (!shown.equals(place)) others = true;
        }
        if (chosen == NONE) return withoutAny(exchange);
        if (others && !takesFirst) return ambiguous(exchange);
        withholdAllBut(chosen, place, exchange);
        Way way = ways.get(chosen);
        return others ? first(way, place, exchange) : way.ask(exchange);
    }

    private Verdict waived(Exchange exchange) {
        for (int i = 0; i < ways.size(); i++) {
            Way way = ways.get(i);
            if (way.policy().answersItself(exchange)) return way.ask(exchange);
        }
        for (int i = 0; i < ways.size(); i++) ways.get(i).policy().strip(exchange);
        return Verdict.proceed();
    }

    /// Who is let in by one way speaks for none of the others.
    private void withholdAllBut(int chosen, String place, Exchange exchange) {
        for (int i = 0; i < ways.size(); i++) {
            if (i != chosen) ways.get(i).policy().withhold(exchange, place);
        }
    }

    /// None of the other credentials reaches the upstream.
    private Verdict first(Way chosen, String place, Exchange exchange) {
        for (int i = 0; i < ways.size(); i++) {
            AuthenticationPolicy other = ways.get(i).policy();
            @Nullable String shown = other.shownAt(exchange);
            if (shown != null && !shown.equals(place)) other.strip(exchange);
        }
        return chosen.ask(exchange);
    }

    private Verdict withoutAny(Exchange exchange) {
        if (anonymous.isPresent()) {
            withholdAllBut(NONE, "", exchange);
            exchange.authenticated(anonymous.get());
            return Verdict.proceed();
        }
        Response refusal = Problem.of("unauthenticated", 401, "Authentication required", "The credential is missing")
                .toResponse(exchange.requestId());
        for (int i = 0; i < ways.size(); i++) {
            refusal.headers().add("WWW-Authenticate", ways.get(i).policy().challenge());
        }
        return Verdict.stop(refusal);
    }

    /// Who made the request and who reads it may mean different ones.
    private static Verdict ambiguous(Exchange exchange) {
        return Verdict.stop(
                Problem.of("ambiguous-credentials", 400, "Bad request", "The request has credentials in several places")
                        .toResponse(exchange.requestId()));
    }
}
