package gateway.http;

/// What changes a body on its way has broken: the message cannot be completed.
public final class PieceChangeException extends RuntimeException {
    private final String owner;

    /// @param owner the policy, as definitions name it
    PieceChangeException(String owner, Throwable cause) {
        super("policy " + owner + ", which changes a body on its way, breaks", cause);
        this.owner = owner;
    }

    /// The policy that changes it, as definitions name it.
    public String owner() {
        return owner;
    }
}
