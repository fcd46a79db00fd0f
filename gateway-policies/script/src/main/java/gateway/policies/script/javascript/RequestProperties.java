package gateway.policies.script.javascript;

import gateway.policies.script.run.ScriptMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/// `request` of a script.
///
/// @param body null on the way back, where it has gone
record RequestProperties(
        ScriptMessage message,
        Scriptable headers,
        Scriptable query,
        Scriptable cookies,
        @Nullable BodyProperty body) implements HostProperties {
    private static final List<String> NAMES =
            List.of("method", "path", "host", "scheme", "id", "client", "headers", "query", "cookies", "body");

    static Scriptable of(SandboxContext context, Scriptable scope, ScriptMessage message) {
        return new HostObject(
                scope,
                new RequestProperties(
                        message,
                        new HostObject(scope, new TextProperties(message.headers())),
                        new HostObject(scope, new TextProperties(message.query())),
                        new HostObject(scope, new TextProperties(message.cookies())),
                        message.answer().isPresent() ? null : new BodyProperty(context, scope, message)));
    }

    @Override
    public @Nullable Object find(String name) {
        return switch (name) {
            case "method" -> message.head().method();
            case "path" -> message.head().path();
            case "host" -> message.head().host();
            case "scheme" -> message.head().scheme();
            case "id" -> message.requestId();
            case "client" -> message.client();
            case "headers" -> headers;
            case "query" -> query;
            case "cookies" -> cookies;
            case "body" -> body == null ? Undefined.instance : body.get();
            default -> Scriptable.NOT_FOUND;
        };
    }

    @Override
    public void set(String name, @Nullable Object value) {
        if (!name.equals("body")) throw new IllegalArgumentException("request." + name + " cannot be set");
        if (body == null) throw new IllegalArgumentException("the request has gone: it is read only");
        body.set(value);
    }

    @Override
    public void remove(String name) {
        throw new IllegalArgumentException("request." + name + " stays");
    }

    @Override
    public List<String> names() {
        return NAMES;
    }
}
