package gateway.policies.script.run;

import gateway.http.Body;
import gateway.http.BodyRefusedException;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.RequestHead;
import gateway.http.Response;
import gateway.http.SaidTypes;
import gateway.policy.BodyFilter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

/// One message as a script sees it, and changes it: a request, or an answer with the request that it is for. Used by
/// one thread.
public final class ScriptMessage {
    private static final int LEAST_STATUS = 200;
    private static final int MOST_STATUS = 599;
    private static final String CONTENT_TYPE = "Content-Type";

    private final Exchange exchange;
    private final ScriptBody reads;
    private final ScriptContent content;
    private final InstantSource clock;
    private final ScriptLog log;
    private Optional<Response> answer;
    private boolean typed; // whether the script says what its content is
    private boolean replaced; // whether it has put another body in the place of this one

    private ScriptMessage(
            Exchange exchange,
            Optional<Response> answer,
            ScriptBody reads,
            ScriptContent content,
            InstantSource clock,
            ScriptLog log) {
        this.exchange = exchange;
        this.answer = answer;
        this.reads = reads;
        this.content = content;
        this.clock = clock;
        this.log = log;
    }

    /// @throws BodyRefusedException when its body is not what the script reads
    public static ScriptMessage ofRequest(Exchange exchange, ScriptBody reads, InstantSource clock, ScriptLog log) {
        var content = ScriptContent.of(exchange.headers(), exchange.outgoing().body(), reads);
        return new ScriptMessage(exchange, Optional.empty(), reads, content, clock, log);
    }

    /// @throws BodyRefusedException when its body is not what the script reads
    public static ScriptMessage ofAnswer(
            Exchange exchange, Response answer, ScriptBody reads, InstantSource clock, ScriptLog log) {
        var content = ScriptContent.of(answer.headers(), answer.body(), reads);
        return new ScriptMessage(exchange, Optional.of(answer), reads, content, clock, log);
    }

    public RequestHead head() {
        return exchange.head();
    }

    public String requestId() {
        return exchange.requestId();
    }

    public String client() {
        return exchange.clientAddress().getHostAddress();
    }

    public Optional<Consumer> consumer() {
        return exchange.consumer();
    }

    public ScriptTexts headers() {
        return unlessGone(new HeaderTexts(exchange.headers(), this::set));
    }

    public ScriptTexts query() {
        return unlessGone(new QueryTexts(exchange));
    }

    public ScriptTexts cookies() {
        return new CookieTexts(exchange);
    }

    public ScriptTexts variables() {
        return new VariableTexts(exchange);
    }

    private ScriptTexts unlessGone(ScriptTexts texts) {
        return answer.isPresent() ? new ReadOnlyTexts(texts) : texts;
    }

    /// The answer as the script has left it; empty on the way in.
    public Optional<Response> answer() {
        return answer;
    }

    public ScriptTexts answerHeaders() {
        return new HeaderTexts(answer.map(Response::headers).orElseGet(Headers::create), this::set);
    }

    private void set(String header) {
        if (header.equalsIgnoreCase(CONTENT_TYPE)) typed = true;
    }

    /// @throws IllegalArgumentException unless it is one that an answer may have
    public void status(int status) {
        checkStatus(status);
        answer = answer.map(response -> response.withStatus(status));
    }

    /// @throws IllegalArgumentException unless it is one that an answer may have
    public static void checkStatus(int status) {
        if (status >= LEAST_STATUS && status <= MOST_STATUS) return;
        throw new IllegalArgumentException("expected a status from " + LEAST_STATUS + " to " + MOST_STATUS);
    }

    /// How bodies are read here.
    public ScriptBody reads() {
        return reads;
    }

    /// As it came, whatever the script has put in its place.
    public ScriptContent content() {
        return content;
    }

    /// Puts a text in the place of this message's body, of the type that it has; where it has none, a plain one.
    public void replaceByText(String text) {
        replace(text);
        Headers fields = fields();
        if (!text.isEmpty() && !fields.contains(CONTENT_TYPE)) fields.set(CONTENT_TYPE, "text/plain; charset=utf-8");
    }

    /// Puts JSON in its place. It says that it is JSON, unless the script says what it is.
    public void replaceByJson(String json) {
        replace(json);
        Headers fields = fields();
        boolean isJson = !SaidTypes.areSeveral(fields) && BodyFilter.JSON.wants(fields, OptionalLong.empty());
        boolean says = typed || isJson;
        if (!says || !fields.contains(CONTENT_TYPE)) fields.set(CONTENT_TYPE, "application/json");
    }

    /// Whether the script has put another body in the place of the one that came.
    public boolean isReplaced() {
        return replaced;
    }

    private Headers fields() {
        return answer.map(Response::headers).orElseGet(exchange::headers);
    }

    private void replace(String text) {
        replaced = true;
        Body body = Body.of(text.getBytes(StandardCharsets.UTF_8));
        if (answer.isPresent()) answer = Optional.of(answer.get().withBody(body));
        else exchange.outgoing().replaceBody(body);
    }

    /// Milliseconds since 1970.
    public long now() {
        return clock.millis();
    }

    public void log(String text) {
        log.say(text);
    }
}
