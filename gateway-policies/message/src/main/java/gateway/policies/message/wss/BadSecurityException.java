package gateway.policies.message.wss;

/// A message is not taken. Thrown where that is found out, and caught by the policy.
final class BadSecurityException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final SecurityFlaw flaw;

    BadSecurityException(SecurityFlaw flaw) {
        super(flaw.toString(), null, false, false); // made for hostile messages: no stack
        this.flaw = flaw;
    }

    SecurityFlaw flaw() {
        return flaw;
    }
}
