package gateway.policies.script.run;

import gateway.json.TextCut;

/// A script threw something that nothing in it caught. The message is for operators, never for clients.
public final class ScriptFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 500;

    private final int line;

    /// @param line of the script, 0 where nobody knows
    public ScriptFailedException(int line, String message) {
        super(TextCut.told(message, LONGEST), null, false, false);
        this.line = line;
    }

    /// Where in the script it was thrown: ` in line 7`, or nothing where nobody knows.
    public String place() {
        return line == 0 ? "" : " in line " + line;
    }
}
