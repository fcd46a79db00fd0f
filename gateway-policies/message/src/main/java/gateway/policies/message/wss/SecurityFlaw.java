package gateway.policies.message.wss;

import java.util.Locale;

/// Why a message is not taken: the operator's log tells it, the caller learns only the fault of its kind.
enum SecurityFlaw {
    /// No SOAP, or SOAP that is made for readers who look at different parts of it.
    STRUCTURE,
    /// No `Security` header, or not what has to be in it.
    MISSING,
    COMMENT,
    ALGORITHM,
    UNKNOWN_KEY,
    SIGNATURE,
    UNSIGNED,
    ENCRYPTION,
    TIMES,
    EXPIRED,
    NOT_YET_VALID,
    USER,
    USED,
    IN_THE_CLEAR;

    /// As faults call it (SOAP Message Security 1.1 §12): one for all that keys do, so that nobody finds out by asking.
    String fault() {
        return switch (this) {
            case EXPIRED -> "MessageExpired";
            case USER, USED, IN_THE_CLEAR -> "FailedAuthentication";
            case MISSING, STRUCTURE, COMMENT, TIMES, NOT_YET_VALID -> "InvalidSecurity";
            case ALGORITHM, UNKNOWN_KEY, SIGNATURE, UNSIGNED, ENCRYPTION -> "FailedCheck";
        };
    }

    /// What the caller is told.
    String told() {
        return switch (fault()) {
            case "MessageExpired" -> "The message has expired";
            case "FailedAuthentication" -> "The user name token is not taken";
            case "InvalidSecurity" -> "The security header is missing or not as it has to be";
            default -> "The message is not signed or encrypted as it has to be";
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
