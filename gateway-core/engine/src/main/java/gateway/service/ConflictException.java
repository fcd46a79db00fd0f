package gateway.service;

/// A write lost against another: the stored thing is not, or no longer, what the writer expected.
public final class ConflictException extends RuntimeException {
    public ConflictException(String message) {
        super(message, null, false, false);
    }
}
