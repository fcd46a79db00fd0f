package gateway.policies.script.javascript;

import gateway.http.Response;
import gateway.policies.script.run.ScriptMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;

/// `response` of a script.
record ResponseProperties(ScriptMessage message, Scriptable headers, BodyProperty body) implements HostProperties {
    private static final List<String> NAMES = List.of("status", "headers", "body");

    static Scriptable of(SandboxContext context, Scriptable scope, ScriptMessage message) {
        return new HostObject(
                scope,
                new ResponseProperties(
                        message,
                        new HostObject(scope, new TextProperties(message.answerHeaders())),
                        new BodyProperty(context, scope, message)));
    }

    @Override
    public @Nullable Object find(String name) {
        return switch (name) {
            case "status" -> message.answer().map(Response::status).orElse(0);
            case "headers" -> headers;
            case "body" -> body.get();
            default -> Scriptable.NOT_FOUND;
        };
    }

    @Override
    public void set(String name, @Nullable Object value) {
        switch (name) {
            case "status" -> message.status(ScriptRuntime.toInt32(value));
            case "body" -> body.set(value);
            default -> throw new IllegalArgumentException("response." + name + " cannot be set");
        }
    }

    @Override
    public void remove(String name) {
        throw new IllegalArgumentException("response." + name + " stays");
    }

    @Override
    public List<String> names() {
        return NAMES;
    }
}
