package gateway.policies.identity;

import gateway.http.FailureReason;
import gateway.http.Secret;
import gateway.http.Span;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.identity.IntrospectionClient.Method;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Asks the server what it knows of a token (RFC 7662 §2).
final class Introspection {
    private static final int MOST_BYTES = 1 << 20;
    private static final String FORM = "application/x-www-form-urlencoded";

    private final IntrospectionClient client;
    private final ServerCalls server;
    private final String path;
    private final String ownFields;
    private final String authorization;
    private final CallBounds bounds;

    /// @param secret empty text: there is none
    /// @param hint of what kind the tokens are; empty text: none
    Introspection(IntrospectionClient client, ServerCalls server, Secret secret, String hint, Duration timeout) {
        this.client = client;
        this.server = server;
        this.path = KeyUrls.pathOf(client.url());
        this.bounds = new CallBounds(timeout, MOST_BYTES);
        String id = encoded(client.id());
        String known = encoded(secret.reveal());
        this.authorization = client.method() == Method.BASIC ? basic(id, known) : "";
        this.ownFields = (hint.isEmpty() ? "" : "&token_type_hint=" + encoded(hint))
                + switch (client.method()) {
                    case BASIC -> "";
                    case POST -> "&client_id=" + id + "&client_secret=" + known;
                    case TLS -> "&client_id=" + id;
                };
    }

    private static String basic(String id, String secret) {
        byte[] pair = (id + ':' + secret).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// What the server says of an active token; empty for one that is not.
    ///
    /// @param within what waits for it
    /// @throws DependencyException when it does not say, or not so that it can be believed
    Optional<JsonNode> ask(String token, @Nullable Span within) {
        byte[] form = ("token=" + encoded(token) + ownFields).getBytes(StandardCharsets.US_ASCII);
        CallRequest request = CallRequest.post(path, FORM, form).with("Accept", "application/json");
        if (!authorization.isEmpty()) request.with("Authorization", authorization);
        CallAnswer answer = server.send(request, bounds, within);
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
        return new DependencyException(client.target().name(), FailureReason.MALFORMED.word(), why, null);
    }
}
