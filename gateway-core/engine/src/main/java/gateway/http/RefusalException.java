package gateway.http;

/// A message is refused although nothing is broken: it cannot be shown to a policy that is to see it, or no worker is
/// free for it. Without a stack trace, since clients bring it about.
public abstract class RefusalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected RefusalException(String message) {
        super(message, null, false, false);
    }
}
