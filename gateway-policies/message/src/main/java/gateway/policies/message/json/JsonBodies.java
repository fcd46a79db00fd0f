package gateway.policies.message.json;

import gateway.http.BodyCharset;
import gateway.http.BodyRefusedException;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// Bodies that are JSON: read the same way whoever asks, and refused alike.
public final class JsonBodies {
    /// Their media types, unless a definition names others.
    public static final List<String> TYPES = List.of("application/json", "*/*+json");

    /// Bytes up to which one is worked on by the request's own thread.
    public static final long SMALL = 4 << 10;

    private JsonBodies() {}

    /// What `check` finds wrong with the JSON that a body is, or that it is none.
    public static Optional<Problem> check(HeldBody body, Headers fields, Function<JsonNode, Optional<Problem>> check) {
        if (!isUtf8(fields)) return Optional.of(otherCharset());
        try {
            return check.apply(body.json());
        } catch (BodyRefusedException e) {
            return Optional.of(refusal(e));
        }
    }

    /// Whether nothing says that it is read otherwise than here.
    public static boolean isUtf8(Headers fields) {
        return BodyCharset.isUtf8(fields);
    }

    /// What is sent of a tree. Half a surrogate pair, which has no UTF-8, goes as the escape that it came by.
    public static byte[] written(JsonNode tree) {
        String text = Json.compact(tree);
        int at = lone(text, 0);
        if (at < 0) return text.getBytes(StandardCharsets.UTF_8);
        var escaped = new StringBuilder(text.length() + 16);
        int from = 0;
        for (; at >= 0; at = lone(text, from)) {
            escaped.append(text, from, at).append("\\u").append(Integer.toHexString(text.charAt(at)));
            from = at + 1;
        }
        return escaped.append(text, from, text.length()).toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Where the first half surrogate is; negative when there is none.
    private static int lone(String text, int from) {
        int i = from;
        while (i < text.length()) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (!pair && Character.isSurrogate(c)) return i;
            i += pair ? 2 : 1;
        }
        return -1;
    }

    public static Problem otherCharset() {
        return otherType("not said to be UTF-8");
    }

    private static Problem otherType(String what) {
        return Problem.of("unsupported-media-type", 415, "Unsupported media type", "The body is " + what);
    }

    /// What a client is told of a body that is not read as JSON.
    public static Problem refusal(BodyRefusedException e) {
        return switch (e.kind()) {
            case TYPE -> otherType(String.valueOf(e.getMessage()));
            case CODING, MALFORMED -> malformed(String.valueOf(e.getMessage()));
            case TOO_COMPLEX ->
                Problem.of("content-too-complex", 400, "Content too complex", "The body is " + e.getMessage());
        };
    }

    /// @param what it is, to be said after "The body is"
    public static Problem malformed(String what) {
        return Problem.of("malformed-content", 400, "Malformed content", "The body is " + what);
    }

    /// @param where as a pointer; empty for the whole body
    public static Problem tooComplex(String where, String expected) {
        return new Problem(
                "content-too-complex",
                400,
                "Content too complex",
                "The body is more complex than it may be",
                List.of(new ConfigProblem(where, "expected " + expected)));
    }
}
