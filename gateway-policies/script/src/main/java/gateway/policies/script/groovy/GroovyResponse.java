package gateway.policies.script.groovy;

import gateway.http.Response;
import gateway.policies.script.run.ScriptMessage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `response` of a script in Groovy.
public final class GroovyResponse {
    private final ScriptMessage message;
    private final GroovyBody body;

    GroovyResponse(ScriptMessage message) {
        this.message = message;
        this.body = new GroovyBody(message);
    }

    public int getStatus() {
        return message.answer().map(Response::status).orElse(0);
    }

    public void setStatus(int status) {
        message.status(status);
    }

    public Map<Object, Object> getHeaders() {
        return new TextMap(message.answerHeaders());
    }

    public @Nullable Object getBody() {
        return body.get();
    }

    public void setBody(@Nullable Object other) {
        body.set(other);
    }
}
