package gateway.component;

/// No member has answered in time, or this one is on its way out.
final class MemberSlowException extends RuntimeException {
    MemberSlowException(Throwable cause) {
        super("no answer from the members", cause, false, false);
    }
}
