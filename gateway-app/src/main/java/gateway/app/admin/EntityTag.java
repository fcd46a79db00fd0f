package gateway.app.admin;

import gateway.http.Headers;
import gateway.http.Response;
import gateway.service.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Strong entity tags (RFC 9110 §8.8.3) of stored objects.
final class EntityTag {
    private EntityTag() {}

    /// The tag of a stored text: the first 96 bits of its SHA-256 digest.
    static String ofText(String text) {
        byte[] digest = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
        return ofVersion(HexFormat.of().formatHex(digest, 0, 12));
    }

    /// `answer`, or 304 with its tag when the client has it already (RFC 9110 §13.1.2, weak comparison).
    static Response unlessKnown(Headers request, Response answer) {
        Optional<String> tag = answer.headers().first("ETag");
        Optional<List<String>> known = listed(request, "If-None-Match");
        if (answer.status() != 200 || tag.isEmpty() || known.isEmpty()) return answer;
        boolean has = isAny(known.get())
                || known.get().stream()
                        .map(each -> each.startsWith("W/") ? each.substring(2) : each)
                        .anyMatch(tag.get()::equals);
        return has ? Response.of(304).with("ETag", tag.get()) : answer;
    }

    /// What stands in all lines of a field of conditions; empty when there is none.
    static Optional<List<String>> listed(Headers headers, String name) {
        if (!headers.contains(name)) return Optional.empty();
        return Optional.of(headers.all(name).stream()
                .flatMap(line -> Arrays.stream(line.split(",", -1)))
                .map(String::strip)
                .toList());
    }

    /// `*` means any where it stands alone, and nothing among tags (RFC 9110 §13.1.1).
    static boolean isAny(List<String> listed) {
        return listed.equals(List.of("*"));
    }

    static String ofVersion(String version) {
        return "\"" + version + "\"";
    }
}
