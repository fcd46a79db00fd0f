package gateway.policies.identity;

import gateway.http.FailureReason;
import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.CallAnswer;
import gateway.service.DependencyException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// What a token endpoint answers (RFC 6749 §5).
sealed interface TokenAnswer {
    /// @param token to be shown as `Bearer`
    /// @param life from when it was asked for
    /// @param refresh by which the next one is asked for
    /// @param idToken not yet believed in anything
    record Given(Secret token, Duration life, Optional<Secret> refresh, Optional<String> idToken)
            implements TokenAnswer {}

    /// @param error one of a short list (RFC 6749 §5.2), so it may be told; empty text: none that is
    record Refused(int status, String error) implements TokenAnswer {
        /// What a server says when it does not take a caller's token, or not for this (RFC 8693 §2.2.2).
        private static final Set<String> OF_SUBJECTS =
                Set.of("invalid_grant", "invalid_request", "invalid_target", "invalid_scope", "access_denied");

        /// Whether the code or refresh token is at fault, and not who asks or how.
        boolean isOfGrant() {
            return status == 400 && error.equals("invalid_grant");
        }

        boolean isOfSubject() {
            return status == 400 && OF_SUBJECTS.contains(error);
        }

        DependencyException told(String server) {
            String why = "gives no token, " + status + (error.isEmpty() ? "" : ": " + error);
            return new DependencyException(server, FailureReason.UNAVAILABLE.word(), why, null);
        }
    }

    /// @throws DependencyException when the server says that it gives a token, and gives none that can be used
    static TokenAnswer of(CallAnswer answer, String server) {
        return new Reader(server).read(answer);
    }

    /// Reads the answers of one server.
    record Reader(String server) {
        private static final Duration USUAL_LIFE = Duration.ofMinutes(5);
        private static final long LONGEST_LIFE = Duration.ofDays(30).toSeconds();
        private static final Pattern ERROR = Pattern.compile("[a-z0-9_.-]{1,64}");

        private TokenAnswer read(CallAnswer answer) {
            JsonNode json = json(answer);
            if (answer.status() != 200) {
                String error = text(json, "error");
                return new Refused(answer.status(), ERROR.matcher(error).matches() ? error : "");
            }
            String token = text(json, "access_token");
            if (!AccessToken.isToken(token)) throw unusable("gave no token that may stand in a header");
            boolean typed = json.has("token_type");
            if (typed && !text(json, "token_type").toLowerCase(Locale.ROOT).equals("bearer"))
                throw unusable("gave a token that is none for Bearer");
            return new Given(
                    new Secret(token),
                    life(json.path("expires_in")),
                    Optional.of(text(json, "refresh_token"))
                            .filter(text -> !text.isEmpty())
                            .map(Secret::new),
                    Optional.of(text(json, "id_token")).filter(text -> !text.isEmpty()));
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

        private DependencyException unusable(String why) {
            return new DependencyException(server, FailureReason.MALFORMED.word(), why, null);
        }
    }
}
