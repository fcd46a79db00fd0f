package gateway.policies.identity;

/// What was found out about a token.
sealed interface Checked {
    record Good(VerifiedToken token) implements Checked {}

    record Bad(TokenFlaw flaw) implements Checked {}
}
