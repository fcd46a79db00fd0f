package gateway.policies.identity;

import gateway.http.FailureReason;
import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Asks an OAuth 2.0 server for a token (RFC 6749 §5).
final class TokenEndpoint {
    private static final int MOST_BYTES = 1 << 16;
    private static final Duration USUAL_LIFE = Duration.ofMinutes(5);
    private static final long LONGEST_LIFE = Duration.ofDays(30).toSeconds();
    /// What a server says when it does not take a caller's token, or not for this (RFC 8693 §2.2.2).
    private static final Set<String> OF_SUBJECTS =
            Set.of("invalid_grant", "invalid_request", "invalid_target", "invalid_scope", "access_denied");

    private static final Pattern ERROR = Pattern.compile("[a-z0-9_.-]{1,64}");

    private final TokenTerms terms;
    private final ServerCalls server;
    private final Secret clientSecret;
    private final Map<String, Secret> secrets;

    /// @param secrets that stand in the form: the password of a user, or the token of a caller
    TokenEndpoint(TokenTerms terms, ServerCalls server, Secret clientSecret, Map<String, Secret> secrets) {
        this.terms = terms;
        this.server = server;
        this.clientSecret = clientSecret;
        this.secrets = secrets;
    }

    /// @param life from when it was asked for
    record Given(Secret token, Duration life) {}

    /// One call.
    ///
    /// @throws DependencyException when no token can be had
    /// @throws SubjectRefusedException when none can be had for the caller's
    Given ask() {
        var form = new LinkedHashMap<>(terms.form());
        secrets.forEach((name, secret) -> form.put(name, secret.reveal()));
        terms.client().fill(form, clientSecret);
        byte[] content = TokenClient.encoded(form).getBytes(StandardCharsets.US_ASCII);
        CallRequest request = CallRequest.post(terms.path(), "application/x-www-form-urlencoded", content)
                .with("Accept", "application/json");
        CallAnswer answer = server.send(
                terms.client().sign(request, clientSecret), new CallBounds(terms.timeout(), MOST_BYTES), null);
        return given(answer);
    }

    private Given given(CallAnswer answer) {
        JsonNode json = json(answer);
        if (answer.status() != 200) throw refused(answer.status(), json);
        String token = text(json, "access_token");
        if (!AccessToken.isToken(token)) throw unusable("gave no token that may stand in a header");
        boolean typed = json.has("token_type");
        if (typed && !text(json, "token_type").toLowerCase(Locale.ROOT).equals("bearer"))
            throw unusable("gave a token that is none for Bearer");
        return new Given(new Secret(token), life(json.path("expires_in")));
    }

    private static String text(JsonNode json, String name) {
        JsonNode value = json.path(name);
        return value.isString() ? value.stringValue() : "";
    }

    /// An answer that is no JSON tells nothing but its status.
    private JsonNode json(CallAnswer answer) {
        try {
            return Json.parseBounded(answer.text());
        } catch (InvalidConfigException e) {
            if (answer.status() == 200) throw unusable("answered something that is no JSON");
            return Json.mapper().createObjectNode();
        }
    }

    private Duration life(JsonNode seconds) {
        if (seconds.isMissingNode() || seconds.isNull()) return USUAL_LIFE;
        boolean digits = seconds.isIntegralNumber()
                || (seconds.isString() && seconds.stringValue().matches("[0-9]{1,18}"));
        long life = digits ? seconds.asLong(0) : 0;
        if (life <= 0) throw unusable("gave a token whose expires_in is no number of seconds");
        return Duration.ofSeconds(Math.min(life, LONGEST_LIFE));
    }

    /// The error code is one of a short list (RFC 6749 §5.2), so it may be told; descriptions may hold anything.
    private RuntimeException refused(int status, JsonNode json) {
        String error = text(json, "error");
        if (status == 400 && secrets.containsKey("subject_token") && OF_SUBJECTS.contains(error)) {
            return new SubjectRefusedException(terms.target().name() + ": gives no token for a caller's: " + error);
        }
        String told = ERROR.matcher(error).matches() ? ": " + error : "";
        return new DependencyException(
                terms.target().name(), FailureReason.UNAVAILABLE.word(), "gives no token, " + status + told, null);
    }

    private DependencyException unusable(String why) {
        return new DependencyException(terms.target().name(), FailureReason.MALFORMED.word(), why, null);
    }
}
