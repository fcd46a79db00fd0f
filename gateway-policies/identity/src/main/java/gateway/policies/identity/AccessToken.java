package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.HeaderField;
import gateway.http.Response;
import gateway.http.Secret;
import gateway.policy.Followup;
import gateway.policy.Verdict;
import java.time.Instant;

/// A token at hand.
final class AccessToken {
    private static final int LONGEST = 16_384;

    private final HeaderField field;
    private final long number;
    private final long renewAt;
    private final long expiresAt;
    private final Followup shown;
    private final Verdict verdict;

    /// @param number which one of `slot` it is
    /// @param renewAt from when on a new one is wanted, though this one still serves, in milliseconds
    /// @param expiresAt likewise
    AccessToken(TokenSlot slot, Secret token, long number, long renewAt, long expiresAt) {
        this.field = new HeaderField("Authorization", "Bearer " + token.reveal());
        this.number = number;
        this.renewAt = renewAt;
        this.expiresAt = expiresAt;
        this.shown = new Shown(slot, number);
        this.verdict = Verdict.proceed(shown);
    }

    /// Whether the text may stand behind `Bearer` (RFC 6750 §2.1, and what servers use besides: no spaces, nothing
    /// that ends a line).
    static boolean isToken(String text) {
        if (text.isEmpty() || text.length() > LONGEST) return false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c > '~' || c == '"' || c == ',') return false;
        }
        return true;
    }

    /// @param now in milliseconds
    boolean isFresh(long now) {
        return now < renewAt;
    }

    /// @param now in milliseconds
    boolean serves(long now) {
        return now < expiresAt;
    }

    long number() {
        return number;
    }

    /// Whatever the client has sent as `Authorization` does not reach the upstream.
    Verdict show(Exchange exchange) {
        set(exchange);
        return verdict;
    }

    /// The same for a policy with a followup of its own, which asks the one that is answered here.
    Followup set(Exchange exchange) {
        exchange.outgoing().headers().set(field);
        return shown;
    }

    /// Characters of it.
    int length() {
        return field.value().length();
    }

    @Override
    public String toString() {
        return "token " + number + " until " + Instant.ofEpochMilli(expiresAt);
    }

    /// Hears what the upstream says to it.
    private record Shown(TokenSlot slot, long number) implements Followup {
        @Override
        public boolean again(Response answer) {
            return answer.status() == 401 && slot.refused(number);
        }
    }
}
