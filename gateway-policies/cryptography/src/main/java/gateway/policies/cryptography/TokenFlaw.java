package gateway.policies.cryptography;

import java.util.Locale;

/// Why a token is not taken: the operator's log tells it, the caller learns no more than whether it has expired.
public enum TokenFlaw {
    MALFORMED,
    ALGORITHM,
    TYPE,
    ISSUER,
    UNKNOWN_KEY,
    SIGNATURE,
    EXPIRED,
    NOT_YET_VALID,
    NO_EXPIRY,
    VALID_FOR_TOO_LONG,
    TIMES,
    AUDIENCE,
    CLAIMS,
    SUBJECT,
    NO_ID,
    USED,
    CERTIFICATE,
    INACTIVE,
    NONCE,
    AUTHORIZED_PARTY,
    ACCESS_TOKEN_HASH,
    EVENT;

    /// What the caller is told.
    public String told() {
        return this == EXPIRED ? "expired" : "invalid";
    }

    /// Whether the same token may be good a moment later: its time comes, or its key is told.
    public boolean mayPass() {
        return this == NOT_YET_VALID || this == UNKNOWN_KEY;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
