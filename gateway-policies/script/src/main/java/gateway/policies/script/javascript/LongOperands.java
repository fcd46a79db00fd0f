package gateway.policies.script.javascript;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ConsString;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.optimizer.Bootstrapper;

/// Operators of compiled scripts, each with a look at what it is given first ([ScriptLoader]): of a text of a million
/// characters one comparison with a number takes milliseconds, and one that is put together is only then laid out.
/// Before long texts what is used up is looked at each time; before objects, which become texts or numbers by
/// themselves, when that was some time ago.
public final class LongOperands {
    private static final MethodHandles.Lookup HERE = MethodHandles.lookup();
    private static final int SHORT = 1_000; // characters, of which nothing takes more than some microseconds
    private static final int CHARACTERS = 10; // that one instruction of a budget pays for
    private static final int NO_TEXT = -1;
    private static final String NUMBER = "number";
    private static final String ELEMENT = "element";

    private LongOperands() {}

    /// The operator that Rhino has for `operation`, such as `MATH:EQ`, behind the look that belongs to it.
    public static CallSite bootstrap(MethodHandles.Lookup from, String operation, MethodType type)
            throws ReflectiveOperationException {
        MethodHandle operator = Bootstrapper.bootstrap(from, operation, type).dynamicInvoker();
        String look = look(operation);
        Class<?>[] looksAt = new Class<?>[look.equals(NUMBER) ? 1 : look.equals("set") ? 3 : 2];
        for (int i = 0; i < looksAt.length; i++) looksAt[i] = type.parameterType(i);
        MethodHandle before = HERE.findStatic(LongOperands.class, look, MethodType.methodType(void.class, looksAt));
        return new ConstantCallSite(MethodHandles.foldArguments(operator, before));
    }

    /// Whether such an operator is given what may be long.
    static boolean takes(String operation) {
        return !look(operation).isEmpty();
    }

    private static String look(String operation) {
        return switch (operation) {
            case "MATH:ADD" -> "sum";
            case "MATH:EQ" -> "equality";
            case "MATH:SHALLOWEQ" -> "sameness";
            case "MATH:COMPARELT", "MATH:COMPARELE", "MATH:COMPAREGT", "MATH:COMPAREGE" -> "order";
            case "MATH:TONUMBER", "MATH:TONUMERIC", "MATH:TOINT32", "MATH:TOUINT32" -> NUMBER;
            case "PROP:GETELEMENT", "PROP:GETELEMENTSUPER", "PROP:GETINDEX" -> ELEMENT;
            case "PROP:SETELEMENT", "PROP:SETELEMENTSUPER" -> "set";
            case "PROP:SET:length" -> "length";
            default -> "";
        };
    }

    static void sum(@Nullable Object one, @Nullable Object other) {
        if (one instanceof ScriptableObject || other instanceof ScriptableObject) glance();
    }

    static void equality(@Nullable Object one, @Nullable Object other) {
        if (one == null || other == null || Undefined.isUndefined(one) || Undefined.isUndefined(other)) return;
        order(one, other);
    }

    static void sameness(@Nullable Object one, @Nullable Object other) {
        if (length(one) != NO_TEXT && length(other) != NO_TEXT) order(one, other);
    }

    /// Two texts are compared as far as the shorter one goes; of a text and a number the text becomes one.
    static void order(@Nullable Object one, @Nullable Object other) {
        int first = length(one);
        int second = length(other);
        if (first > SHORT || second > SHORT) {
            spend(first == NO_TEXT || second == NO_TEXT ? Math.max(first, second) : Math.min(first, second));
        } else {
            sum(one, other);
        }
    }

    static void number(@Nullable Object value) {
        int length = length(value);
        if (length > SHORT) spend(length);
        else if (value instanceof ScriptableObject) glance();
    }

    static void element(@Nullable Object object, double index) {
        if (object instanceof ConsString rope && rope.length() > SHORT)
            context().layOut(rope);
    }

    /// By a name, which is looked for as a text.
    static void element(@Nullable Object object, @Nullable Object name) {
        element(object, 0);
        number(name);
    }

    /// What becomes of the value is up to the object.
    static void set(@Nullable Object object, @Nullable Object name, @Nullable Object value) {
        element(object, name);
        if (length(value) > SHORT) glance();
    }

    /// That of an array is a number.
    static void length(@Nullable Object object, @Nullable Object value) {
        number(value);
    }

    /// Before what may take long, and mostly does not.
    static void glance() {
        context().glance();
    }

    /// Of a text, in characters.
    private static int length(@Nullable Object value) {
        if (value instanceof String text) return text.length();
        return value instanceof ConsString rope ? rope.length() : NO_TEXT;
    }

    private static void spend(int characters) {
        context().spend(characters / CHARACTERS);
    }

    private static SandboxContext context() {
        return (SandboxContext) SandboxContext.getCurrentContext();
    }
}
