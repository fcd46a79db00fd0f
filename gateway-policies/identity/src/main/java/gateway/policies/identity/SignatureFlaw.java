package gateway.policies.identity;

import java.util.Locale;

/// Why a signature is not taken: the operator's log tells it, the caller learns no more than whether it is too old.
enum SignatureFlaw {
    MALFORMED,
    LABELS,
    SEVERAL,
    COMPONENT,
    NOT_COVERED,
    NO_KEY_ID,
    UNKNOWN_KEY,
    ALGORITHM,
    SIGNATURE,
    NO_TIME,
    TIMES,
    EXPIRED,
    NOT_YET_VALID,
    NO_NONCE,
    USED,
    DIGEST;

    /// What the caller is told.
    String told() {
        return this == EXPIRED ? "expired" : "invalid";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
