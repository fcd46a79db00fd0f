package gateway.policies.cache;

import gateway.http.Response;
import java.util.List;
import java.util.Optional;

/// What the answer to a `HEAD` says of the one that is kept for `GET` (RFC 9111 §4.3.5).
enum HeadWord {
    /// It is what the upstream has.
    SAME,
    /// The upstream has another by now.
    OTHER,
    /// It may be either.
    NOTHING;

    private static final List<String> VALIDATORS = List.of("ETag", "Last-Modified");

    static HeadWord of(Response head, CachedAnswer kept) {
        if (!head.reason().isEmpty() || !isDefinite(head.status())) return NOTHING;
        if (head.status() != kept.status()) return OTHER;
        Optional<String> length = head.headers().first("Content-Length");
        if (length.isPresent()
                && !length.get().equals(Integer.toString(kept.body().content().length))) return OTHER;
        HeadWord word = NOTHING; // the length alone is no proof
        for (String name : VALIDATORS) {
            Optional<String> said = head.headers().first(name);
            if (said.isEmpty()) continue;
            if (!said.equals(kept.field(name))) return OTHER;
            word = SAME;
        }
        return word;
    }

    /// Others tell of the request or of a moment.
    private static boolean isDefinite(int status) {
        return status == 200 || status == 404 || status == 410;
    }
}
