package gateway.policies.identity;

import gateway.policies.cryptography.TokenFlaw;

/// What was found out about a token.
///
/// @param <T> what is known of a good one
sealed interface Checked<T> {
    record Good<T>(T found) implements Checked<T> {}

    record Bad<T>(TokenFlaw flaw) implements Checked<T> {}
}
