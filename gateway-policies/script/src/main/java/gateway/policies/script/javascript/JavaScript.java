package gateway.policies.script.javascript;

import gateway.json.InvalidConfigException;
import gateway.policies.script.run.ScriptProgram;
import gateway.policy.Services;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.Script;

/// Makes programs of scripts.
public final class JavaScript {
    /// Of a script, where places in it are told.
    static final String NAME = "script";

    private static final String TOO_LONG =
            "what stands outside of functions, or one of them, is too long to be compiled";

    private JavaScript() {}

    private record SharedId() {}

    private record ProgramId(String source) {
        @Override
        public String toString() {
            return "a script of " + source.length() + " characters";
        }
    }

    /// The program of `source`, the one that is there already where another policy has the same.
    ///
    /// @throws InvalidConfigException with line and column when it cannot be compiled
    public static ScriptProgram compile(String source, Services services) {
        SharedScope shared = services.shared(new SharedId(), SharedScope.class, SharedScope::make);
        return services.shared(new ProgramId(source), ScriptProgram.class, () -> compiled(source, shared));
    }

    private static ScriptProgram compiled(String source, SharedScope shared) {
        return new JavaScriptProgram(shared, compiled(source, shared.sandbox()));
    }

    static Script compiled(String source, Sandbox sandbox) {
        return compiled(source, NAME, sandbox);
    }

    static Script compiled(String source, String name, Sandbox sandbox) {
        try (var context = (SandboxContext) sandbox.enterContext()) {
            ScriptSyntax.check(source, context);
            Script script = context.compileString(source, name, 1, null);
            if (!context.madeClass()) throw invalid(TOO_LONG); // interpreted, its operators would have no bounds
            return script;
        } catch (EvaluatorException e) {
            throw invalid("line " + e.lineNumber() + ", column " + e.columnNumber() + ": " + e.details());
        } catch (StackOverflowError e) {
            throw invalid("it is nested too deep");
        } catch (RuntimeException e) {
            if (e instanceof InvalidConfigException) throw e;
            throw invalid("it cannot be compiled: " + e.getMessage()); // too much for one method, say
        }
    }

    private static InvalidConfigException invalid(String what) {
        return new InvalidConfigException("/source", "expected a script in JavaScript: " + what);
    }
}
