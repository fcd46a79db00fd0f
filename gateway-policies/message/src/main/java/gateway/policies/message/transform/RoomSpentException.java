package gateway.policies.message.transform;

/// More comes of a body than it may become.
final class RoomSpentException extends RuntimeException {
    /// @param expected what it may be, to be said after "expected"
    RoomSpentException(String expected) {
        super(expected, null, false, false);
    }
}
