package gateway.app.admin;

import gateway.http.Headers;
import java.util.List;
import java.util.Optional;

/// What a writer expects to find: `If-Match` and `If-None-Match: *` (RFC 9110 §13.1).
///
/// @param ifMatch tags of which the stored object must have one; `*` alone is any
/// @param ifNoneMatch whether nothing may be stored yet
record Precondition(Optional<List<String>> ifMatch, boolean ifNoneMatch) {
    static final Precondition NONE = new Precondition(Optional.empty(), false);

    static Precondition of(Headers headers) {
        return new Precondition(
                EntityTag.listed(headers, "If-Match"),
                headers.first("If-None-Match").map(Precondition::any).orElse(false));
    }

    /// @param stored the tag of what is stored, empty when nothing is
    /// @throws AdminProblem 412 when it is not what the writer expects
    void check(String what, Optional<String> stored) {
        if (ifNoneMatch && stored.isPresent()) {
            throw AdminProblem.preconditionFailed("expected no " + what + " yet, but there is one");
        }
        if (ifMatch.isEmpty()) return;
        List<String> expected = ifMatch.get();
        if (stored.isEmpty()) {
            throw AdminProblem.preconditionFailed(
                    "expected " + what + " as " + String.join(", ", expected) + ", but there is none");
        }
        if (EntityTag.isAny(expected) || expected.contains(stored.get())) return;
        throw AdminProblem.preconditionFailed(
                "expected " + what + " as " + String.join(", ", expected) + ", but it is " + stored.get());
    }

    private static boolean any(String text) {
        if (text.strip().equals("*")) return true;
        throw AdminProblem.badRequest("expected If-None-Match to be *, got " + text);
    }
}
