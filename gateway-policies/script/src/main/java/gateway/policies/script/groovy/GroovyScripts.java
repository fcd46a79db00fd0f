package gateway.policies.script.groovy;

import gateway.json.InvalidConfigException;
import gateway.policies.script.run.ScriptProgram;
import gateway.policy.Services;
import groovy.lang.GroovyClassLoader;
import java.util.Set;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.MultipleCompilationErrorsException;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;

/// Makes programs of scripts in Groovy.
public final class GroovyScripts {
    /// Of a script, where places in it are told.
    static final String FILE = "script.groovy";

    private static final Set<String> GRAPES = Set.of("groovy.grape.GrabAnnotationTransformation");

    private GroovyScripts() {}

    private record ProgramId(String source) {
        @Override
        public String toString() {
            return "a script of " + source.length() + " characters";
        }
    }

    /// The program of `source`, the one that is there already where another policy has the same.
    ///
    /// @throws InvalidConfigException with line and column when it cannot be compiled, or does what no script may
    public static ScriptProgram compile(String source, Services services) {
        return services.shared(new ProgramId(source), ScriptProgram.class, () -> compiled(source));
    }

    private static ScriptProgram compiled(String source) {
        var configuration = new CompilerConfiguration();
        configuration.setScriptBaseClass(GroovyRun.class.getName());
        configuration.setDisabledGlobalASTTransformations(GRAPES); // which fetches what a script names
        configuration.addCompilationCustomizers(
                new RefusedCode(), new WovenChecks(), new WovenNumbers(), new WovenRegex());
        var loader = new GroovyClassLoader(GroovyScripts.class.getClassLoader(), configuration);
        var program = new GroovyProgram(loader);
        try {
            Class<?> type = loader.parseClass(source, FILE);
            return program.of(type.asSubclass(GroovyRun.class));
        } catch (CompilationFailedException e) {
            program.retired();
            throw invalid(first(e));
        } catch (StackOverflowError e) {
            program.retired();
            throw invalid("it is nested too deep");
        }
    }

    private static String first(CompilationFailedException failure) {
        if (failure instanceof MultipleCompilationErrorsException all
                && all.getErrorCollector().getError(0) instanceof SyntaxErrorMessage error) {
            var cause = error.getCause();
            return "line " + cause.getStartLine() + ", column " + cause.getStartColumn() + ": "
                    + cause.getOriginalMessage();
        }
        return String.valueOf(failure.getMessage());
    }

    private static InvalidConfigException invalid(String what) {
        return new InvalidConfigException("/source", "expected a script in Groovy: " + what);
    }
}
