package gateway.policies.identity;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A login under way, as the browser keeps it, sealed.
///
/// @param state that the provider's answer has to repeat
/// @param nonce that the ID token has to
/// @param verifier by which the code is redeemed (RFC 7636)
/// @param redirect the URL that the provider sends the browser back to
/// @param wanted the path that the browser goes to then
/// @param begun in milliseconds
record LoginAttempt(String state, String nonce, String verifier, String redirect, String wanted, long begun) {
    static final Duration LONGEST = Duration.ofMinutes(10);

    private static final String PURPOSE = "login";

    static LoginAttempt begin(String redirect, String wanted, long now) {
        return new LoginAttempt(RandomText.next(), RandomText.next(), RandomText.next(), redirect, wanted, now);
    }

    /// What the provider is told of the verifier.
    String challenge() {
        byte[] hash = Sha256.of(verifier.getBytes(StandardCharsets.US_ASCII));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }

    boolean isOver(long now) {
        return now >= begun + LONGEST.toMillis();
    }

    String sealed(SealedText seal) {
        var json = Json.mapper().createObjectNode();
        json.put("state", state).put("nonce", nonce).put("verifier", verifier);
        json.put("redirect", redirect).put("wanted", wanted).put("begun", begun);
        return seal.seal(Json.compact(json), PURPOSE);
    }

    /// Empty when it was not sealed here.
    static Optional<LoginAttempt> open(String sealed, SealedText seal) {
        return seal.open(sealed, PURPOSE).flatMap(LoginAttempt::ofJson);
    }

    private static Optional<LoginAttempt> ofJson(String text) {
        try {
            JsonNode json = Json.parse(text);
            return Optional.of(new LoginAttempt(
                    json.path("state").asString(""),
                    json.path("nonce").asString(""),
                    json.path("verifier").asString(""),
                    json.path("redirect").asString(""),
                    json.path("wanted").asString(""),
                    json.path("begun").asLong(0)));
        } catch (InvalidConfigException e) {
            return Optional.empty();
        }
    }

    /// Without what answers are checked by.
    @Override
    public String toString() {
        return "login to " + wanted;
    }
}
