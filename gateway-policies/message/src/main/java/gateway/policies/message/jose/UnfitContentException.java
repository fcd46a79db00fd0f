package gateway.policies.message.jose;

/// What is to be signed cannot be: it is no JSON object that claims could be added to, say. Caught where the steps of a
/// message begin.
final class UnfitContentException extends RuntimeException {
    /// @param why to be told
    UnfitContentException(String why) {
        super(why, null, false, false); // made for messages of others: no stack
    }
}
