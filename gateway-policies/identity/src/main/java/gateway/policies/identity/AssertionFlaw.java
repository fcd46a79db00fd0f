package gateway.policies.identity;

import java.util.Locale;

/// Why an assertion is not taken: the operator's log tells it, the caller learns no more than whether it has expired.
enum AssertionFlaw {
    /// No Base64, no XML, or with a DOCTYPE.
    MALFORMED,
    /// XML that is made for readers who look at different parts of it.
    STRUCTURE,
    COMMENT,
    ENCRYPTED,
    /// It is for another key, was changed, or is no assertion when it is opened.
    DECRYPTION,
    UNSIGNED,
    ALGORITHM,
    UNKNOWN_KEY,
    SIGNATURE,
    VERSION,
    STATUS,
    ISSUER,
    TIMES,
    EXPIRED,
    NOT_YET_VALID,
    TOO_OLD,
    CONDITION,
    AUDIENCE,
    RECIPIENT,
    CONFIRMATION,
    SUBJECT,
    USED,
    /// The security token service says so.
    INVALIDATED;

    /// What the caller is told.
    String told() {
        return this == EXPIRED || this == TOO_OLD ? "expired" : "invalid";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
