package gateway.http;

import java.util.List;

/// The fields that tell of content which another one has replaced: how it was packed, its version and its digests, and
/// that parts of it can be asked for.
final class ContentFields {
    private static final List<String> OF_CONTENT = List.of(
            "Content-Encoding",
            "ETag",
            "Content-MD5",
            "Digest",
            "Content-Digest",
            "Repr-Digest",
            "Accept-Ranges",
            "Trailer"); // trailers may sign it, and there are none any more

    private ContentFields() {}

    static void replaced(Headers fields) {
        for (String each : OF_CONTENT) fields.remove(each);
    }
}
