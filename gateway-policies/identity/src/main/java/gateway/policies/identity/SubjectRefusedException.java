package gateway.policies.identity;

/// A token server gives nothing for the token of a caller: no outage, since others may get one.
final class SubjectRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SubjectRefusedException(String why) {
        super(why, null, false, false);
    }
}
