package gateway.policies.script.javascript;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;
import org.mozilla.javascript.GeneratedClassLoader;

/// Loads the class that Rhino has made of one script, with a look at the length of each text that it puts together, and
/// at what it spreads: these are no methods, so that none of ours can take their place. And nothing of a run is
/// remembered in it.
final class ScriptLoader extends ClassLoader implements GeneratedClassLoader {
    private static final String RUNTIME = "org/mozilla/javascript/ScriptRuntime";
    private static final String COMPILED_RUNTIME = "org/mozilla/javascript/optimizer/OptRuntime";
    private static final String STORAGE = "org/mozilla/javascript/NewLiteralStorage";
    private static final String CALLABLE = "org/mozilla/javascript/Callable";
    /// Called as they are, but for a look at what they are given: the methods of ours have their names.
    private static final Set<String> LOOKED_AT = Set.of(
            "delete",
            "elemIncrDecr",
            "enumInit",
            "fillObjectLiteral",
            "getElemAndThis",
            "getElemAndThisOptional",
            "getValueAndThis",
            "in",
            "nameIncrDecr",
            "newObject",
            "propIncrDecr");

    private static final String NAME = "NAME:GET:";
    private static final String PROPERTY = "PROP:GET:";
    private static final String MAYBE_PROPERTY = "PROP:GETNOWARN:";
    private static final ClassDesc BOUNDS = ClassDesc.of("gateway.policies.script.javascript.OperatorBounds");
    private static final DirectMethodHandleDesc OPERATOR = ConstantDescs.ofCallsiteBootstrap(
            ClassDesc.of("gateway.policies.script.javascript.LongOperands"), "bootstrap", ConstantDescs.CD_CallSite);
    private static final MethodTypeDesc LOOK = MethodTypeDesc.of(ConstantDescs.CD_void);
    private static final MethodTypeDesc CHECK = MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object);

    ScriptLoader(ClassLoader parent) {
        super("script", parent);
    }

    @Override
    public Class<?> defineClass(String name, byte[] made) {
        var files = ClassFile.of();
        byte[] bounded =
                files.transformClass(files.parse(made), ClassTransform.transformingMethodBodies(ScriptLoader::bounded));
        return defineClass(name, bounded, 0, bounded.length);
    }

    @Override
    public void linkClass(Class<?> loaded) {
        resolveClass(loaded);
    }

    private static void bounded(CodeBuilder code, CodeElement element) {
        switch (element) {
            case InvokeInstruction call
            when spreads(call) -> {
                var type = call.typeSymbol();
                boolean isVirtual = call.owner().asInternalName().equals(STORAGE);
                code.invokestatic(
                        BOUNDS,
                        "spread",
                        isVirtual ? type.insertParameterTypes(0, call.owner().asSymbol()) : type);
            }
            case InvokeInstruction call
            when is(call, CALLABLE, "call") ->
                code.invokestatic(
                        BOUNDS,
                        "call",
                        call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol()));
            case InvokeInstruction call
            when ofRuntime(call) && LOOKED_AT.contains(call.name().stringValue()) ->
                code.invokestatic(BOUNDS, call.name().stringValue(), call.typeSymbol());
            case InvokeInstruction call
            when ofRuntime(call) && call.name().stringValue().endsWith("Special") ->
                code.invokestatic(BOUNDS, "look", LOOK).with(call);
            case InvokeInstruction call when joins(call) -> code.with(call).invokestatic(BOUNDS, "text", CHECK);
            case InvokeDynamicInstruction call
            when LongOperands.takes(call.name().stringValue()) -> operator(code, call);
            case InvokeDynamicInstruction call when reads(call, NAME) -> read(code, call, NAME, "name");
            case InvokeDynamicInstruction call when reads(call, PROPERTY) -> read(code, call, PROPERTY, "property");
            case InvokeDynamicInstruction call
            when reads(call, MAYBE_PROPERTY) -> read(code, call, MAYBE_PROPERTY, "maybeProperty");
            default -> code.with(element);
        }
    }

    private static boolean reads(InvokeDynamicInstruction call, String operation) {
        return call.name().stringValue().startsWith(operation);
    }

    private static void operator(CodeBuilder code, InvokeDynamicInstruction call) {
        code.invokedynamic(DynamicCallSiteDesc.of(OPERATOR, call.name().stringValue(), call.typeSymbol()));
        if (call.name().equalsString("MATH:ADD")) code.invokestatic(BOUNDS, "text", CHECK);
    }

    /// Rhino remembers the values of constants where they are read, with the scope or object that they are of: all that
    /// a run has made would stay until some runs later.
    private static void read(CodeBuilder code, InvokeDynamicInstruction call, String operation, String by) {
        var type = call.typeSymbol();
        code.loadConstant(call.name().stringValue().substring(operation.length()))
                .invokestatic(BOUNDS, by, type.insertParameterTypes(type.parameterCount(), ConstantDescs.CD_String));
    }

    private static boolean is(InvokeInstruction call, String owner, String name) {
        return call.owner().asInternalName().equals(owner) && call.name().equalsString(name);
    }

    private static boolean ofRuntime(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        return owner.equals(RUNTIME) || owner.equals(COMPILED_RUNTIME);
    }

    private static boolean joins(InvokeInstruction call) {
        String name = call.name().stringValue();
        return ofRuntime(call)
                && (name.equals("add") || name.equals("concat"))
                && call.typeSymbol().returnType().equals(ConstantDescs.CD_Object);
    }

    private static boolean spreads(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        return call.name().equalsString("spread") && (owner.equals(STORAGE) || owner.equals(COMPILED_RUNTIME));
    }
}
