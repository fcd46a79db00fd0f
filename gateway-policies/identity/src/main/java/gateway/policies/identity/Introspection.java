package gateway.policies.identity;

import gateway.http.FailureReason;
import gateway.http.Span;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.cryptography.KeyUrls;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Asks the server what it knows of a token (RFC 7662 §2).
final class Introspection {
    private static final int MOST_BYTES = 1 << 20;

    private final IntrospectionServer server;
    private final ServerCalls calls;
    private final ClientProof client;
    private final String hint;
    private final CallBounds bounds;

    /// @param client the gateway there
    /// @param hint of what kind the tokens are; empty text: none
    Introspection(IntrospectionServer server, ServerCalls calls, ClientProof client, String hint, Duration timeout) {
        this.server = server;
        this.calls = calls;
        this.client = client;
        this.hint = hint;
        this.bounds = new CallBounds(timeout, MOST_BYTES);
    }

    /// What the server says of an active token; empty for one that is not.
    ///
    /// @param within what waits for it
    /// @throws DependencyException when it does not say, or not so that it can be believed
    Optional<JsonNode> ask(String token, @Nullable Span within) {
        var form = new LinkedHashMap<String, String>();
        form.put("token", token);
        if (!hint.isEmpty()) form.put("token_type_hint", hint);
        CallAnswer answer = calls.send(client.post(KeyUrls.pathOf(server.url()), form), bounds, within);
        if (answer.status() != 200) throw unusable("answered " + answer.status() + " to a question about a token");
        JsonNode said = read(answer.text());
        JsonNode active = said.path("active");
        if (!active.isBoolean()) throw unusable("does not say whether a token is active");
        return active.booleanValue() ? Optional.of(said) : Optional.empty();
    }

    private JsonNode read(String text) {
        try {
            JsonNode said = Json.parseBounded(text);
            if (said.isObject()) return said;
        } catch (InvalidConfigException e) {
            throw unusable("its answer is " + e.getMessage());
        }
        throw unusable("its answer is no object");
    }

    private DependencyException unusable(String why) {
        return new DependencyException(server.target().name(), FailureReason.MALFORMED.word(), why, null);
    }
}
