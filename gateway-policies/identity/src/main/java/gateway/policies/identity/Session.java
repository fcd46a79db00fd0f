package gateway.policies.identity;

import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the gateway keeps of one who has logged in. Times are in milliseconds.
///
/// @param id that nobody can guess
/// @param generation how often its tokens have been renewed
/// @param claims those that are kept
/// @param accessToken where it is forwarded
/// @param renewAt from when on new tokens are wanted
/// @param accessEnds when the access token does
/// @param began when its user logged in
/// @param seen when it was used, to a tenth of the time that it may rest
record Session(
        String id,
        int generation,
        JsonNode claims,
        Optional<Secret> accessToken,
        Optional<Secret> refreshToken,
        long renewAt,
        long accessEnds,
        long began,
        long seen) {
    Session seenAt(long now) {
        return new Session(id, generation, claims, accessToken, refreshToken, renewAt, accessEnds, began, now);
    }

    /// What its successor is found by.
    String version() {
        return id + '/' + generation;
    }

    /// The provider's name of its own session; empty text: it has said none.
    String providerSession() {
        return claims.path("sid").asString("");
    }

    String toJson() {
        ObjectNode json = Json.mapper().createObjectNode();
        json.put("id", id).put("generation", generation).set("claims", claims);
        accessToken.ifPresent(token -> json.put("access", token.reveal()));
        refreshToken.ifPresent(token -> json.put("refresh", token.reveal()));
        json.put("renewAt", renewAt).put("ends", accessEnds).put("began", began).put("seen", seen);
        return Json.compact(json);
    }

    /// Empty when the text is none of [#toJson], such as one of another release.
    static Optional<Session> ofJson(String text) {
        try {
            JsonNode json = Json.parse(text);
            String id = json.path("id").asString("");
            if (id.isEmpty() || !json.path("claims").isObject()) return Optional.empty();
            return Optional.of(new Session(
                    id,
                    json.path("generation").asInt(0),
                    json.path("claims"),
                    secret(json, "access"),
                    secret(json, "refresh"),
                    json.path("renewAt").asLong(0),
                    json.path("ends").asLong(0),
                    json.path("began").asLong(0),
                    json.path("seen").asLong(0)));
        } catch (InvalidConfigException e) {
            return Optional.empty();
        }
    }

    private static Optional<Secret> secret(JsonNode json, String name) {
        JsonNode value = json.path(name);
        return value.isString() ? Optional.of(new Secret(value.stringValue())) : Optional.empty();
    }

    /// Without its id, which opens it.
    @Override
    public String toString() {
        return "session of " + claims.path("sub").asString("");
    }
}
