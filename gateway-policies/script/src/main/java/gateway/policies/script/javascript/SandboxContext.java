package gateway.policies.script.javascript;

import gateway.policies.script.run.ScriptBudget;
import gateway.policies.script.run.ScriptMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;

/// One run, or one compilation, which has neither budget nor message.
final class SandboxContext extends Context {
    private @Nullable ScriptBudget budget;
    private @Nullable ScriptMessage message;

    SandboxContext(Sandbox sandbox) {
        super(sandbox);
    }

    void begin(ScriptMessage ofRun, ScriptBudget ofMessage) {
        message = ofRun;
        budget = ofMessage;
    }

    void spend(long instructions) {
        if (budget != null) budget.spend(instructions);
    }

    ScriptMessage message() {
        return Objects.requireNonNull(message, "no script runs");
    }
}
