package gateway.policies.cryptography;

/// The Corretto provider cannot be used here.
final class CorrettoException extends Exception {
    private static final long serialVersionUID = 1L;

    CorrettoException(Throwable cause) {
        super(cause);
    }

    /// What lies at the bottom of it, on one line.
    String reason() {
        Throwable innermost = this;
        while (innermost.getCause() != null) innermost = innermost.getCause();
        return innermost.toString().lines().findFirst().orElse("");
    }
}
