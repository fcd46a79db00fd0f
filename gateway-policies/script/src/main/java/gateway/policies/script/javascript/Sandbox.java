package gateway.policies.script.javascript;

import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.GeneratedClassLoader;

/// Makes the contexts that scripts are compiled and run in.
final class Sandbox extends ContextFactory {
    /// Instructions, each of which may call a built-in function that takes a millisecond.
    private static final int OBSERVED_EVERY = 200;

    @Override
    protected Context makeContext() {
        var context = new SandboxContext(this);
        context.setLanguageVersion(Context.VERSION_ES6);
        context.setInterpretedMode(false);
        context.setGeneratingSource(false);
        context.setInstructionObserverThreshold(OBSERVED_EVERY);
        context.setClassShutter(_ -> false);
        return context;
    }

    @Override
    protected boolean hasFeature(Context context, int feature) {
        return switch (feature) {
            case Context.FEATURE_PARENT_PROTO_PROPERTIES, // ways out of a scope
                    Context.FEATURE_DYNAMIC_SCOPE,
                    Context.FEATURE_E4X,
                    Context.FEATURE_ENHANCED_JAVA_ACCESS, // would let scripts catch errors
                    Context.FEATURE_ENABLE_JAVA_MAP_ACCESS,
                    Context.FEATURE_V8_EXTENSIONS -> false;
            default -> super.hasFeature(context, feature);
        };
    }

    @Override
    protected void observeInstructionCount(Context context, int instructions) {
        ((SandboxContext) context).spend(instructions);
    }

    @Override
    protected GeneratedClassLoader createClassLoader(ClassLoader parent) {
        return new ScriptLoader(Sandbox.class.getClassLoader());
    }
}
