package gateway.policies.message.jose;

/// A message is not what it has to be: nothing signed, by nobody who is known, or not to be opened. Caught where the
/// steps of a message begin.
final class BadJoseException extends RuntimeException {
    /// @param why for the operator's log only
    BadJoseException(String why) {
        super(why, null, false, false); // made for hostile messages: no stack
    }
}
