package gateway.policies.cache;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.http.Response;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A kept answer as one client gets it.
final class GivenAnswer {
    /// What an answer without content says of the one that the client has (RFC 9110 §15.4.5).
    private static final List<String> OF_CONTENT =
            List.of("Content-Length", "Content-Type", "Content-Encoding", "Content-Language", "Content-Range");

    private GivenAnswer() {}

    /// @param status of the cache, as `Cache-Status` tells it
    static Response of(CachedAnswer answer, ClientWish wish, Instant now, String status) {
        Headers fields = answer.fields();
        fields.add("Age", Long.toString(answer.age(now).toSeconds()));
        fields.add("Cache-Status", status);
        if (wish.isForAll()) return whole(answer, fields);
        if (wish.isFulfilledBy(answer, now)) {
            OF_CONTENT.forEach(fields::remove);
            return new Response(304, fields, Body.EMPTY);
        }
        Optional<ByteRange> part = wish.part(answer, now);
        return part.isEmpty() ? whole(answer, fields) : part(answer, fields, part.get());
    }

    private static Response whole(CachedAnswer answer, Headers fields) {
        return new Response(answer.status(), fields, Body.of(answer.body().content()));
    }

    private static Response part(CachedAnswer answer, Headers fields, ByteRange range) {
        fields.set("Content-Range", range.toString());
        if (range.isEmpty()) {
            fields.remove("Content-Type");
            fields.remove("Content-Encoding");
            return new Response(416, fields, Body.EMPTY);
        }
        byte[] bytes = Arrays.copyOfRange(answer.body().content(), range.from(), range.to());
        return new Response(206, fields, Body.of(bytes));
    }
}
