package gateway.policies.message.transform;

/// An operation cannot be done to this JSON.
final class OperationFailedException extends RuntimeException {
    private final String pointer;

    /// @param pointer of the place, as the definition has it
    OperationFailedException(String pointer, String message) {
        super(message, null, false, false);
        this.pointer = pointer;
    }

    String pointer() {
        return pointer;
    }
}
