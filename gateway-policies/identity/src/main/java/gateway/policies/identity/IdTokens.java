package gateway.policies.identity;

import gateway.policies.cryptography.SigningAlgorithm;
import gateway.policies.cryptography.TokenFlaw;
import gateway.policies.cryptography.TokenTimes;
import gateway.policy.PolicyPlace;
import gateway.policy.Services;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Believes what a provider's tokens say, once they are signed by its keys and meant for this client: ID tokens (OpenID
/// Connect Core 1.0 §3.1.3.7) and logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.6).
final class IdTokens {
    private static final String LOGOUT = "http://schemas.openid.net/event/backchannel-logout";
    private static final TokenTimes TIMES = new TokenTimes(true, Optional.empty(), Duration.ofSeconds(30));
    private static final int LONGEST_ID = 255;

    private final String client;
    private final SignedTokens logins;
    private final SignedTokens logouts;

    private IdTokens(String client, SignedTokens logins, SignedTokens logouts) {
        this.client = client;
        this.logins = logins;
        this.logouts = logouts;
    }

    /// Both share the provider's keys.
    static IdTokens compile(OpenIdProvider provider, PolicyPlace place, Services services) {
        return new IdTokens(
                provider.client().id(),
                signed(provider, List.of("jwt"), place, services),
                signed(provider, List.of("jwt", "logout+jwt"), place, services));
    }

    private static SignedTokens signed(
            OpenIdProvider provider, List<String> types, PolicyPlace place, Services services) {
        return SignedTokens.compile(List.of(provider.tokens(types)), "", provider.timeout(), place, services);
    }

    /// The claims of one who has just logged in.
    ///
    /// @param nonce that this login was begun with
    /// @param accessToken that came along
    /// @param now in milliseconds
    /// @throws gateway.service.DependencyException when that cannot be found out
    Checked<JsonNode> login(String text, String nonce, String accessToken, long now) {
        return switch (idToken(text, accessToken, now)) {
            case Checked.Bad<JsonNode> bad -> bad;
            case Checked.Good<JsonNode>(JsonNode claims) ->
                isSame(text(claims, "nonce"), nonce) ? new Checked.Good<>(claims) : bad(TokenFlaw.NONCE);
        };
    }

    private Checked<JsonNode> idToken(String text, String accessToken, long now) {
        return switch (logins.verify(text)) {
            case Checked.Bad<SignedToken>(TokenFlaw flaw) -> bad(flaw);
            case Checked.Good<SignedToken>(SignedToken signed) -> {
                JsonNode claims = signed.token().claims();
                Optional<TokenFlaw> flaw = flaw(signed, claims, accessToken, now);
                yield flaw.isPresent() ? bad(flaw.get()) : new Checked.Good<>(claims);
            }
        };
    }

    private Optional<TokenFlaw> flaw(SignedToken signed, JsonNode claims, String accessToken, long now) {
        Optional<TokenFlaw> times = TIMES.flaw(claims, now);
        if (times.isPresent()) return times;
        if (!signed.issuer().takesAudience(claims)) return Optional.of(TokenFlaw.AUDIENCE);
        boolean forSeveral = claims.path("aud").size() > 1;
        boolean hasParty = claims.has("azp");
        if (hasParty ? !text(claims, "azp").equals(client) : forSeveral) return Optional.of(TokenFlaw.AUTHORIZED_PARTY);
        String subject = text(claims, "sub");
        if (subject.isEmpty() || subject.length() > LONGEST_ID) return Optional.of(TokenFlaw.SUBJECT);
        boolean hashed = claims.has("at_hash");
        boolean same =
                !hashed || isSame(text(claims, "at_hash"), hash(signed.token().algorithm(), accessToken));
        return same ? Optional.empty() : Optional.of(TokenFlaw.ACCESS_TOKEN_HASH);
    }

    /// The left half of a hash that is as wide as the signature's (§3.1.3.6).
    private static String hash(SigningAlgorithm algorithm, String accessToken) {
        String word = algorithm.word();
        String bits = word.substring(Math.max(0, word.length() - 3));
        String name = Set.of("256", "384").contains(bits) ? "SHA-" + bits : "SHA-512";
        try {
            byte[] hash = MessageDigest.getInstance(name).digest(accessToken.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, hash.length / 2));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + name, e);
        }
    }

    /// The `sid` of the session that has ended.
    ///
    /// @throws gateway.service.DependencyException when that cannot be found out
    Checked<String> logout(String text, long now) {
        return switch (logouts.verify(text)) {
            case Checked.Bad<SignedToken>(TokenFlaw flaw) -> new Checked.Bad<>(flaw);
            case Checked.Good<SignedToken>(SignedToken signed) -> {
                JsonNode claims = signed.token().claims();
                Optional<TokenFlaw> flaw = logoutFlaw(signed, claims, now);
                yield flaw.isPresent() ? new Checked.Bad<>(flaw.get()) : new Checked.Good<>(text(claims, "sid"));
            }
        };
    }

    private static Optional<TokenFlaw> logoutFlaw(SignedToken signed, JsonNode claims, long now) {
        Optional<TokenFlaw> times = TIMES.flaw(claims, now);
        if (times.isPresent()) return times;
        if (!signed.issuer().takesAudience(claims)) return Optional.of(TokenFlaw.AUDIENCE);
        if (!claims.path("events").path(LOGOUT).isObject()) return Optional.of(TokenFlaw.EVENT);
        if (claims.has("nonce")) return Optional.of(TokenFlaw.NONCE); // or an ID token would do
        String session = text(claims, "sid");
        return session.isEmpty() || session.length() > LONGEST_ID ? Optional.of(TokenFlaw.SUBJECT) : Optional.empty();
    }

    private static String text(JsonNode claims, String name) {
        JsonNode value = claims.path(name);
        return value.isString() ? value.stringValue() : "";
    }

    /// Takes the same time wherever they differ.
    static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static <T> Checked<T> bad(TokenFlaw flaw) {
        return new Checked.Bad<>(flaw);
    }
}
