package gateway.policies.script.groovy;

import gateway.policies.script.run.ScriptBudget;
import gateway.policies.script.run.ScriptEndedError;
import gateway.policies.script.run.ScriptFailedException;
import gateway.policies.script.run.ScriptMessage;
import gateway.policies.script.run.ScriptProgram;
import gateway.policies.script.run.ScriptStoppedError;
import gateway.policies.script.run.StopReason;
import groovy.lang.GroovyClassLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.codehaus.groovy.runtime.InvokerHelper;
import org.jspecify.annotations.Nullable;

/// A script in Groovy with the loader of its classes. Each run is an object of its own.
final class GroovyProgram implements ScriptProgram {
    private final GroovyClassLoader loader;
    private @Nullable Class<? extends GroovyRun> type; // once it is compiled

    GroovyProgram(GroovyClassLoader loader) {
        this.loader = loader;
    }

    /// The same, compiled.
    GroovyProgram of(Class<? extends GroovyRun> compiled) {
        type = compiled;
        return this;
    }

    @Override
    public void run(ScriptMessage message, ScriptBudget budget) {
        GroovyRun run = fresh();
        run.begin(message);
        try {
            ScopedValue.where(CountedWork.CURRENT, new CountedWork(budget)).run(run::run);
        } catch (ScriptStoppedError | ScriptEndedError e) {
            throw e;
        } catch (StackOverflowError e) {
            throw new ScriptStoppedError(StopReason.DEPTH);
        } catch (Exception | AssertionError | LinkageError e) {
            throw new ScriptFailedException(line(e), e.toString());
        }
        run.rethrowEnd(); // which it may have caught
        budget.spend(0);
    }

    private GroovyRun fresh() {
        if (type == null) throw new IllegalStateException("it is not compiled");
        try {
            return type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new ScriptFailedException(0, e.toString());
        }
    }

    /// Of the script, where what it called has failed.
    private static int line(Throwable failure) {
        for (StackTraceElement each : failure.getStackTrace()) {
            if (GroovyScripts.FILE.equals(each.getFileName())) return Math.max(each.getLineNumber(), 0);
        }
        return 0;
    }

    /// Groovy remembers what it knows of classes, and so their loaders.
    @Override
    public void retired() {
        for (Class<?> each : loader.getLoadedClasses()) InvokerHelper.removeClass(each);
        loader.clearCache();
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
