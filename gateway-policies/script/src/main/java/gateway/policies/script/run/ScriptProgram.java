package gateway.policies.script.run;

import gateway.service.Served;

/// A script, compiled, to be run for any number of messages at once. Where it has something to let go of, it does so
/// when it is served no more.
public interface ScriptProgram extends Served {
    /// Runs it from begin to end for one message, on this thread.
    ///
    /// @throws ScriptStoppedError when it has used up what it has, or its calls went too deep
    /// @throws ScriptEndedError when it has ended by itself before its end
    /// @throws ScriptFailedException when it threw something
    void run(ScriptMessage message, ScriptBudget budget);
}
