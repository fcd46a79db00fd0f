package gateway.policies.message.template;

/// More would come of a template than it may make.
final class TemplateBoundException extends RuntimeException {
    /// @param expected to be said after "expected"
    TemplateBoundException(String expected) {
        super(expected, null, false, false);
    }
}
