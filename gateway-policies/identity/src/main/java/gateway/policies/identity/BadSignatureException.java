package gateway.policies.identity;

/// A request has a signature that is none, found while it is read. Caught where the reading begins.
final class BadSignatureException extends RuntimeException {
    private final SignatureFlaw flaw;

    BadSignatureException(SignatureFlaw flaw) {
        super(flaw.toString(), null, false, false); // made for hostile requests: no stack
        this.flaw = flaw;
    }

    SignatureFlaw flaw() {
        return flaw;
    }
}
