package gateway.policies.script.groovy;

import gateway.policies.script.run.ScriptMessage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `request` of a script in Groovy.
public final class GroovyRequest {
    private final ScriptMessage message;
    private final GroovyBody body;

    GroovyRequest(ScriptMessage message) {
        this.message = message;
        this.body = new GroovyBody(message);
    }

    public String getMethod() {
        return message.head().method();
    }

    public String getPath() {
        return message.head().path();
    }

    public String getHost() {
        return message.head().host();
    }

    public String getScheme() {
        return message.head().scheme();
    }

    public String getId() {
        return message.requestId();
    }

    public String getClient() {
        return message.client();
    }

    public Map<Object, Object> getHeaders() {
        return new TextMap(message.headers());
    }

    public Map<Object, Object> getQuery() {
        return new TextMap(message.query());
    }

    public Map<Object, Object> getCookies() {
        return new TextMap(message.cookies());
    }

    /// Null where there is none, or it has gone.
    public @Nullable Object getBody() {
        return message.answer().isPresent() ? null : body.get();
    }

    public void setBody(@Nullable Object other) {
        if (message.answer().isPresent()) throw new IllegalArgumentException("the request has gone: it is read only");
        body.set(other);
    }
}
