package gateway.policies.script.groovy;

import gateway.http.Consumer;
import gateway.policies.script.run.ScriptEnd;
import gateway.policies.script.run.ScriptEndedError;
import gateway.policies.script.run.ScriptFunctions;
import gateway.policies.script.run.ScriptMessage;
import gateway.policies.script.run.ScriptTexts;
import groovy.lang.Script;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One run of a script in Groovy: what it calls without saying of what. The class of each script extends it, as Groovy
/// has it.
public abstract class GroovyRun extends Script {
    private @Nullable ScriptMessage message;
    private @Nullable ScriptEndedError end;
    private @Nullable GroovyRequest request;
    private @Nullable GroovyResponse response;

    final void begin(ScriptMessage ofRun) {
        message = ofRun;
        request = new GroovyRequest(ofRun);
        response = ofRun.answer().isPresent() ? new GroovyResponse(ofRun) : null;
    }

    final void rethrowEnd() {
        if (end != null) throw end;
    }

    private ScriptMessage message() {
        return Objects.requireNonNull(message);
    }

    public final GroovyRequest getRequest() {
        return Objects.requireNonNull(request);
    }

    /// Null on the way in.
    public final @Nullable GroovyResponse getResponse() {
        return response;
    }

    /// Null where nobody is known.
    public final @Nullable Map<String, Object> getConsumer() {
        if (message().consumer().isEmpty()) return null;
        Consumer who = message().consumer().get();
        return Map.of("id", who.id(), "name", who.name(), "tags", who.tags(), "metadata", who.metadata());
    }

    public final Map<Object, Object> getVars() {
        return new TextMap(message().variables());
    }

    public final void log(Object text) {
        message().log(String.valueOf(text));
    }

    @Override
    public final void println(Object text) {
        log(text);
    }

    @Override
    public final void print(Object text) {
        log(text);
    }

    public final void fail(Object why) {
        ended(new ScriptEnd.Failed(String.valueOf(why)));
    }

    public final void stop(int status) {
        stop(status, null);
    }

    public final void stop(int status, @Nullable Object body) {
        stop(status, body, Map.of());
    }

    public final void stop(int status, @Nullable Object body, Map<?, ?> headers) {
        ScriptMessage.checkStatus(status);
        var fields = new LinkedHashMap<String, String>();
        headers.forEach((name, value) -> {
            ScriptTexts.checkHeader(String.valueOf(name), String.valueOf(value));
            fields.put(String.valueOf(name), String.valueOf(value));
        });
        boolean isText = body instanceof CharSequence;
        String text = body == null ? "" : isText ? body.toString() : GroovyValues.json(body);
        ended(new ScriptEnd.Stopped(status, text, isText ? "text/plain; charset=utf-8" : "application/json", fields));
    }

    private void ended(ScriptEnd how) {
        end = new ScriptEndedError(how);
        throw end;
    }

    public final String hash(Object text) {
        return hash(text, ScriptFunctions.USUAL_DIGEST);
    }

    public final String hash(Object text, String algorithm) {
        return ScriptFunctions.hash(String.valueOf(text), algorithm);
    }

    public final String hmac(Object key, Object text) {
        return hmac(key, text, ScriptFunctions.USUAL_DIGEST);
    }

    public final String hmac(Object key, Object text, String algorithm) {
        return ScriptFunctions.hmac(String.valueOf(key), String.valueOf(text), algorithm);
    }

    public final boolean same(Object one, Object other) {
        return ScriptFunctions.same(String.valueOf(one), String.valueOf(other));
    }

    /// Null for what is no token.
    public final @Nullable Object jwtClaims(Object token) {
        return ScriptFunctions.claims(String.valueOf(token))
                .map(GroovyValues::of)
                .orElse(null);
    }

    public final String uuid() {
        return UUID.randomUUID().toString();
    }

    public final long now() {
        return message().now();
    }
}
