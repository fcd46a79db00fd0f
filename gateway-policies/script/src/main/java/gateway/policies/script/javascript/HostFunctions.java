package gateway.policies.script.javascript;

import gateway.policies.script.javascript.HostFunction.Body;
import gateway.policies.script.run.ScriptEnd;
import gateway.policies.script.run.ScriptEndedError;
import gateway.policies.script.run.ScriptFunctions;
import gateway.policies.script.run.ScriptMessage;
import gateway.policies.script.run.ScriptTexts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/// The functions of ours that scripts may call.
final class HostFunctions {
    private static final int FIXED = ScriptableObject.PERMANENT | ScriptableObject.READONLY;

    private HostFunctions() {}

    static void install(ScriptableObject scope, Context context) {
        all().forEach((name, body) -> define(scope, scope, name, body));
        var base64 = (NativeObject) context.newObject(scope);
        define(scope, base64, "encode", (_, _, _, given) -> {
            String encoded = ScriptFunctions.encode(text(given, 0));
            Bounds.checkText(encoded.length());
            return encoded;
        });
        define(scope, base64, "decode", (_, _, _, given) -> told(() -> ScriptFunctions.decode(text(given, 0))));
        scope.defineProperty("base64", base64, FIXED);
    }

    private static void define(ScriptableObject scope, ScriptableObject owner, String name, Body body) {
        owner.defineProperty(name, new HostFunction(scope, name, 1, body), FIXED);
    }

    private static Map<String, Body> all() {
        var all = new LinkedHashMap<String, Body>();
        all.put("hash", (_, _, _, given) -> told(() -> ScriptFunctions.hash(text(given, 0), digest(given, 1))));
        all.put(
                "hmac",
                (_, _, _, given) -> told(() -> ScriptFunctions.hmac(text(given, 0), text(given, 1), digest(given, 2))));
        all.put("same", (_, _, _, given) -> ScriptFunctions.same(text(given, 0), text(given, 1)));
        all.put(
                "jwtClaims",
                (context, scope, _, given) -> ScriptFunctions.claims(text(given, 0))
                        .map(claims -> ScriptValues.of(claims, context, scope))
                        .orElse(null));
        all.put("uuid", (_, _, _, _) -> UUID.randomUUID().toString());
        all.put("now", (context, _, _, _) -> (double) context.message().now());
        all.put("log", (context, _, _, given) -> {
            context.message().log(text(given, 0));
            return Undefined.instance;
        });
        all.put("fail", (_, _, _, given) -> {
            throw new ScriptEndedError(new ScriptEnd.Failed(given.length == 0 ? "" : text(given, 0)));
        });
        all.put("stop", HostFunctions::stop);
        return all;
    }

    private static Object stop(SandboxContext context, Scriptable scope, Object self, Object[] given) {
        int status = ScriptRuntime.toInt32(argument(given, 0));
        Object body = argument(given, 1);
        boolean isText = body instanceof CharSequence;
        Object text = isText ? body.toString() : JsonText.of(body, context, scope);
        throw told(() -> {
            ScriptMessage.checkStatus(status);
            return new ScriptEndedError(new ScriptEnd.Stopped(
                    status,
                    Undefined.isUndefined(text) ? "" : text.toString(),
                    isText ? "text/plain; charset=utf-8" : "application/json",
                    fields(argument(given, 2))));
        });
    }

    private static Map<String, String> fields(Object headers) {
        var fields = new LinkedHashMap<String, String>();
        if (!(headers instanceof Scriptable object)) return fields;
        Object[] names = object.getIds();
        Bounds.checkElements(names.length);
        for (Object name : names) {
            Object value = ScriptableObject.getProperty(object, name.toString());
            ScriptTexts.checkHeader(name.toString(), ScriptRuntime.toString(value));
            fields.put(name.toString(), ScriptRuntime.toString(value));
        }
        return fields;
    }

    private static <T> T told(Supplier<T> work) {
        return HostObject.told(work);
    }

    private static Object argument(Object[] given, int at) {
        return at < given.length ? given[at] : Undefined.instance;
    }

    private static String text(Object[] given, int at) {
        return ScriptRuntime.toString(argument(given, at));
    }

    private static String digest(Object[] given, int at) {
        return Undefined.isUndefined(argument(given, at)) ? ScriptFunctions.USUAL_DIGEST : text(given, at);
    }
}
