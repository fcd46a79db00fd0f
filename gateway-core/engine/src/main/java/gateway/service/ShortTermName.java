package gateway.service;

/// What a short-term value is found by. Names are of any length and often secret (an id of a session), so stores only
/// see their hash.
///
/// @param use apart from all other uses
/// @param digest SHA-256 of place and name, 43 characters of base64url
public record ShortTermName(ShortTermUse use, String digest) {
    /// @param place whose name it is, such as `orders/jwt`; the same name in two places is two names
    /// @param name as the request tells it
    public static ShortTermName of(ShortTermUse use, String place, String name) {
        // The length first: no place and name run into another place and name.
        return new ShortTermName(use, TextDigest.of(place.length() + ":" + place + name));
    }
}
