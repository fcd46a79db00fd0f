package gateway.policies.identity;

/// An assertion is not taken. Thrown where that is found out, and caught by the policy.
final class BadAssertionException extends RuntimeException {
    private final AssertionFlaw flaw;

    BadAssertionException(AssertionFlaw flaw) {
        super(flaw.toString(), null, false, false); // made for hostile requests: no stack
        this.flaw = flaw;
    }

    AssertionFlaw flaw() {
        return flaw;
    }
}
