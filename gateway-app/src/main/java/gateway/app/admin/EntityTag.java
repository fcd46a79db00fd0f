package gateway.app.admin;

import gateway.http.Headers;
import gateway.http.Response;
import gateway.service.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
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
        Optional<String> known = request.first("If-None-Match");
        if (answer.status() != 200 || tag.isEmpty() || known.isEmpty()) return answer;
        for (String each : known.get().split(",", -1)) {
            String candidate = each.strip();
            if (candidate.startsWith("W/")) candidate = candidate.substring(2);
            if (candidate.equals("*") || candidate.equals(tag.get()))
                return Response.of(304).with("ETag", tag.get());
        }
        return answer;
    }

    static String ofVersion(String version) {
        return "\"" + version + "\"";
    }
}
