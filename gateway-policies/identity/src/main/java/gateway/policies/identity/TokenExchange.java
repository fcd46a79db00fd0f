package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.policies.standard.CredentialRefusal;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.List;

/// Shows the upstream a token of its own for the one that the caller has shown (RFC 8693). Only callers that an
/// authentication has let in have theirs exchanged: made-up tokens cost no call.
final class TokenExchange implements Policy {
    private static final String SCHEME = "Bearer ";

    private final ExchangedTokens tokens;

    TokenExchange(ExchangedTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public Verdict apply(Exchange exchange) {
        List<String> sent = exchange.outgoing().headers().all("Authorization");
        String shown = sent.size() == 1 ? sent.getFirst() : "";
        String subject = bearer(shown);
        if (subject.isEmpty() || exchange.consumer().isEmpty()) {
            return BearerChallenge.of(exchange.api()).missing(exchange);
        }
        try {
            return Verdict.proceed(new Shown(tokens.take(subject).set(exchange), exchange, shown));
        } catch (SubjectRefusedException e) {
            return CredentialRefusal.forbidden(exchange, "Your token gives you none for this");
        }
    }

    private static String bearer(String shown) {
        boolean isOne = shown.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        String token = isOne ? shown.substring(SCHEME.length()) : "";
        return AccessToken.isToken(token) ? token : "";
    }

    /// Hears what the upstream says to it, and puts the caller's own back when it is to be exchanged again.
    private static final class Shown implements Followup {
        private final Followup ofToken;
        private final Exchange exchange;
        private final String before;

        Shown(Followup ofToken, Exchange exchange, String before) {
            this.ofToken = ofToken;
            this.exchange = exchange;
            this.before = before;
        }

        @Override
        public boolean again(Response answer) {
            if (!ofToken.again(answer)) return false;
            exchange.outgoing().headers().set("Authorization", before);
            return true;
        }
    }

    @Override
    public String toString() {
        return tokens.toString();
    }
}
