package gateway.policies.script.javascript;

import gateway.policies.script.run.ScriptBudget;
import gateway.policies.script.run.ScriptMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ConsString;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.GeneratedClassLoader;

/// One run, or one compilation, which has neither budget nor message.
final class SandboxContext extends Context {
    private static final int SELDOM = 0b111; // these bits are zero at each eighth number

    private @Nullable ScriptBudget budget;
    private @Nullable ScriptMessage message;
    private @Nullable ConsString laidOut;
    private int unlooked;
    private boolean madeClass;

    SandboxContext(Sandbox sandbox) {
        super(sandbox);
    }

    void begin(ScriptMessage ofRun, ScriptBudget ofMessage) {
        message = ofRun;
        budget = ofMessage;
    }

    /// Whether what has been compiled in it is a class. Rhino interprets what is too long for one, unasked.
    boolean madeClass() {
        return madeClass;
    }

    @Override
    public GeneratedClassLoader createClassLoader(ClassLoader parent) {
        madeClass = true;
        return super.createClassLoader(parent);
    }

    void spend(long instructions) {
        if (budget != null) budget.spend(instructions);
    }

    /// Looks at what is used up, unless that was just done.
    void glance() {
        if (budget != null) budget.glance();
    }

    /// The same at each eighth time: before what a loop does at each turn.
    void glanceAtTimes() {
        if ((++unlooked & SELDOM) == 0) glance();
    }

    /// A text that was put together takes its memory when it is first read, which is now. It is mostly the same one
    /// that
    /// is read again.
    void layOut(ConsString rope) {
        if (rope.equals(laidOut)) return; // by identity, as ropes are
        spend(0);
        laidOut = rope;
    }

    ScriptMessage message() {
        return Objects.requireNonNull(message, "no script runs");
    }
}
