package gateway.service;

/// A secret cannot be had; the message says why, without it.
public final class SecretUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SecretUnavailableException(String message) {
        super(message);
    }

    /// @param message for the operator; the cause may tell more
    public SecretUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
