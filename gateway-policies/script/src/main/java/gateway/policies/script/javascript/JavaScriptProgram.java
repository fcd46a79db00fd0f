package gateway.policies.script.javascript;

import gateway.policies.script.run.ScriptBudget;
import gateway.policies.script.run.ScriptFailedException;
import gateway.policies.script.run.ScriptMessage;
import gateway.policies.script.run.ScriptProgram;
import gateway.policies.script.run.ScriptStoppedError;
import gateway.policies.script.run.StopReason;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptStackElement;
import org.mozilla.javascript.Scriptable;

/// A script in JavaScript: each run has a scope of its own over the one that all share.
record JavaScriptProgram(SharedScope shared, Script script) implements ScriptProgram {
    @Override
    public void run(ScriptMessage message, ScriptBudget budget) {
        try (var context = (SandboxContext) shared.sandbox().enterContext()) {
            context.begin(message, budget);
            Scriptable scope = shared.fresh(context, message);
            script.exec(context, scope, scope);
            budget.spend(0); // what it has done since it was looked at last counts too
        } catch (RhinoException e) {
            throw new ScriptFailedException(line(e), e.details());
        } catch (StackOverflowError e) {
            throw new ScriptStoppedError(StopReason.DEPTH);
        } catch (OutOfMemoryError e) { // of this run, as far as anybody can tell
            throw new ScriptStoppedError(StopReason.MEMORY);
        }
    }

    /// In the script itself, which may have called what fails.
    private static int line(RhinoException failure) {
        for (ScriptStackElement each : failure.getScriptStack()) {
            if (JavaScript.NAME.equals(each.fileName)) return Math.max(each.lineNumber, 0);
        }
        return 0;
    }
}
