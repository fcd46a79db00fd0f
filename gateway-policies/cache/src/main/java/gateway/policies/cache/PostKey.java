package gateway.policies.cache;

import gateway.http.Body;
import gateway.http.BodyCharset;
import gateway.http.BodyRefusedException;
import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.http.SaidTypes;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policy.BodyAccess;
import gateway.policy.BodyFilter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What of its JSON makes the key of a `POST` that only asks, such as a search or a query of GraphQL. The upstream gets
/// the text that the key is made of and nothing else, neither members that do not count nor another way to write those
/// that do: what it sees and the key does not hold is what poisons a cache.
///
/// @param members none of them within another; the whole document alone; none: `POST` is what changes something
record PostKey(List<JsonPointer> members) {
    private static final Pattern POINTER = Pattern.compile("(/[\\s\\S]*)?");
    private static final int MOST_MEMBERS = 32;
    private static final int MOST_BYTES = 64 << 10;

    PostKey {
        members = List.copyOf(members);
    }

    static PostKey read(ConfigNode node) {
        List<JsonPointer> members = node.list(PostKey::pointer);
        node.extent(0, MOST_MEMBERS);
        if (members.size() > MOST_MEMBERS) node.problem("expected at most 32 pointers, got " + members.size());
        for (JsonPointer each : members) {
            for (JsonPointer other : members) {
                boolean within = !each.equals(other) && (each + "/").startsWith(other + "/");
                if (within) node.problem("expected no pointer into what another names, got \"" + each + '"');
            }
        }
        return new PostKey(members.stream().distinct().toList());
    }

    private static JsonPointer pointer(ConfigNode node) {
        String text = node.like(POINTER).text();
        if (text.isEmpty() || text.startsWith("/")) return JsonPointer.compile(text);
        node.problem("expected a JSON Pointer such as \"/query\", or \"\" for the whole document, got \"" + text + '"');
        return JsonPointer.empty();
    }

    /// Whether `POST` only asks.
    boolean isUsed() {
        return !members.isEmpty();
    }

    /// Which bodies it looks into: JSON that says how long it is, and nothing by which others read it otherwise.
    static BodyAccess access() {
        return BodyAccess.plain(MOST_BYTES)
                .only((fields, length) -> length.isPresent()
                        && length.getAsLong() <= MOST_BYTES
                        && BodyFilter.JSON.wants(fields, length)
                        && !SaidTypes.areSeveral(fields)
                        && BodyCharset.isUtf8(fields));
    }

    /// What tells the request from others, whose body then holds nothing else; empty for one that cannot be looked
    /// into.
    Optional<String> part(Exchange exchange) {
        Optional<HeldBody> held = exchange.held();
        if (held.isEmpty() || !held.get().isPlain()) return Optional.empty();
        JsonNode told = told(held.get());
        if (told == null) return Optional.empty();
        String text = Json.compact(told);
        Optional<byte[]> bytes = encoded(text);
        if (bytes.isEmpty()) return Optional.empty();
        exchange.outgoing().replaceBody(Body.of(bytes.get()));
        return Optional.of(new KeyText()
                .add("POST")
                .add(exchange.headers().first("Content-Type").orElse(""))
                .add(text)
                .digest());
    }

    /// Empty for half of a surrogate pair, which JSON can escape and no charset writes.
    private static Optional<byte[]> encoded(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return Optional.of(exact);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private @Nullable JsonNode told(HeldBody body) {
        try {
            JsonNode json = body.json();
            if (isWhole()) return json;
            return json.isObject() ? narrowed(json) : null;
        } catch (BodyRefusedException e) {
            return null; // no JSON: the upstream may say so itself
        }
    }

    private boolean isWhole() {
        return members.getFirst().matches();
    }

    private ObjectNode narrowed(JsonNode json) {
        ObjectNode narrowed = Json.mapper().createObjectNode();
        for (JsonPointer each : members) copy(each, json, narrowed);
        return narrowed;
    }

    /// Through objects alone: what stands in an array cannot be told without those before it.
    private static void copy(JsonPointer member, JsonNode from, ObjectNode to) {
        String name = member.getMatchingProperty();
        JsonNode value = from.isObject() ? from.get(name) : null;
        if (value == null) return;
        if (member.tail().matches()) to.set(name, value);
        else if (value.isObject()) copy(member.tail(), value, to.withObjectProperty(name));
    }
}
