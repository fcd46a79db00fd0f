package gateway.policies.identity;

import gateway.http.Consumer;
import gateway.json.ConfigNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Which claims say who calls.
///
/// @param name empty: `name`, else the id
/// @param key the claim that holds the id of an API key, for which the caller then stands
record ConsumerClaims(
        ClaimPath id,
        Optional<ClaimPath> name,
        Optional<ClaimPath> tags,
        Map<String, ClaimPath> metadata,
        Optional<ClaimPath> key) {
    private static final int MOST_TAGS = 64;
    private static final int MOST_METADATA = 64;
    private static final int LONGEST_ID = 256;
    private static final ClaimPath NAME = ClaimPath.of("name");

    ConsumerClaims {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    static ConsumerClaims read(ConfigNode node) {
        return read(node, "sub");
    }

    /// @param usual the claim that makes the id unless another is named
    static ConsumerClaims read(ConfigNode node, String usual) {
        node.expectObject();
        var id = node.field("id", "makes the caller's id; a token without it is refused");
        var metadata = node.field("metadata", "name of each entry, and the claim of its value");
        var claims = new ConsumerClaims(
                ClaimPath.read(id, id.obeys("{\"not\": {\"const\": \"\"}}").text(usual)),
                ClaimPath.readOptional(
                        node.field("name", "names the caller").form("claim").unlessGiven("`name`, else the id")),
                ClaimPath.readOptional(node.field("tags", "a list, or a text parted by blanks; the first 64 are taken")
                        .form("claim")),
                metadata.map(each -> ClaimPath.read(each, each.requiredText())),
                ClaimPath.readOptional(
                        node.field("key", "holds the id of an API key: what it opens, when it expires, its limits")
                                .form("claim")));
        if (id.text(usual).isEmpty()) id.problem("expected a claim, got \"\"");
        metadata.extent(0, MOST_METADATA);
        if (claims.metadata.size() > MOST_METADATA)
            metadata.problem("expected at most " + MOST_METADATA + ", got " + claims.metadata.size());
        node.refuseUnknownFields();
        return claims;
    }

    /// All that are looked at.
    List<ClaimPath> claims() {
        return Stream.of(Stream.of(id), name.stream(), tags.stream(), metadata.values().stream(), key.stream())
                .flatMap(each -> each)
                .toList();
    }

    /// Who calls with these claims; empty when they do not say.
    ///
    /// @param prefix of the id, such as `jwt:corp/`
    Optional<Consumer> consumer(JsonNode claims, String prefix) {
        Optional<String> found = id.text(claims);
        if (found.isEmpty() || found.get().length() > LONGEST_ID) return Optional.empty();
        String own = prefix + found.get();
        var described = new LinkedHashMap<String, String>();
        metadata.forEach((key, claim) -> claim.text(claims).ifPresent(value -> described.put(key, value)));
        return Optional.of(new TokenCaller(
                own,
                name.orElse(NAME).text(claims).orElse(own),
                tags.map(claim -> claim.words(claims, MOST_TAGS)).orElse(List.of()),
                described));
    }

    /// Who calls with a token, as policies further on see them.
    private record TokenCaller(String id, String name, List<String> tags, Map<String, String> metadata)
            implements Consumer {
        TokenCaller {
            tags = List.copyOf(tags);
            metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        }
    }
}
