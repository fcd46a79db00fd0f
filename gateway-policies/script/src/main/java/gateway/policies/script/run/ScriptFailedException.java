package gateway.policies.script.run;

/// A script threw something that nothing in it caught. The message is for operators, never for clients.
public final class ScriptFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 500;

    public ScriptFailedException(String message) {
        super(message.length() > LONGEST ? message.substring(0, LONGEST) + '…' : message, null, false, false);
    }
}
