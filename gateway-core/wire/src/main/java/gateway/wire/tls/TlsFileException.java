package gateway.wire.tls;

/// A file of certificates, keys or revocations that cannot be used. The message names the file, the place in it and
/// what is wrong there; never what the file holds.
public final class TlsFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String told;

    TlsFileException(String message) {
        super(message);
        this.told = message;
    }

    /// The message.
    String told() {
        return told;
    }
}
