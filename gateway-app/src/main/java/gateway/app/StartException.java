package gateway.app;

/// The process cannot start, for a reason that its operator can mend.
final class StartException extends RuntimeException {
    StartException(String message) {
        super(message, null, false, false);
    }
}
