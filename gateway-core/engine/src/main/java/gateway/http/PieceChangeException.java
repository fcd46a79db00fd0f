package gateway.http;

/// What changes a body on its way has broken: the message cannot be completed.
public final class PieceChangeException extends RuntimeException {
    PieceChangeException(Throwable cause) {
        super("a policy that changes a body on its way breaks", cause);
    }
}
