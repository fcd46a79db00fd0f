package gateway.policies.cache;

import gateway.http.Headers;
import gateway.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/// Which answers a policy keeps.
///
/// @param lifetime how long an answer is fresh that does not say so; zero: it is kept only to ask whether it holds
/// @param respectUpstream whether the answer's own word counts for how long it is fresh
/// @param statuses of answers that are kept without a word of theirs
/// @param most bytes of content
/// @param tags the field that carries what an answer is purged by
record KeepRules(Duration lifetime, boolean respectUpstream, Set<Integer> statuses, long most, String tags) {
    /// Never kept: parts of something, answers to a credential, and what means something to one request alone.
    private static final Set<Integer> NEVER = Set.of(206, 304, 401, 407, 408, 412, 416, 417, 421, 425, 429, 431);

    /// Of which it is known what they mean for whoever keeps them (RFC 9110 §15).
    private static final Set<Integer> UNDERSTOOD =
            Set.of(200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 501);

    KeepRules {
        statuses = Set.copyOf(statuses);
    }

    ReuseTerms terms(Headers answer, int status, Instant received) {
        return ReuseTerms.of(answer, received, respectUpstream, statuses.contains(status) ? lifetime : Duration.ZERO);
    }

    /// Whether `answer` to a request that allows it is kept. No refusal of the gateway is, and nothing that sets
    /// cookies.
    boolean keeps(Response answer, ReuseTerms terms) {
        if (answer.status() < 200
                || NEVER.contains(answer.status())
                || !answer.reason().isEmpty()) return false;
        Headers fields = answer.headers();
        if (!terms.mayBeKept() || fields.contains("Set-Cookie") || fields.contains("Content-Range")) return false;
        if (answer.body().length().orElse(0) > most || !VaryFields.canBeChosen(fields)) return false;
        if (isEndless(fields) || (terms.mustBeUnderstood() && !UNDERSTOOD.contains(answer.status()))) return false;
        if (terms.stated() && respectUpstream && !terms.lifetime().isZero()) return true;
        boolean isOfUse = !terms.lifetime().isZero() || fields.contains("ETag") || fields.contains("Last-Modified");
        return isOfUse && statuses.contains(answer.status());
    }

    /// Whether `answer` says what is there now, rather than something of its caller, its request or this moment: only
    /// then it takes the place of another that is kept.
    ///
    /// @param isOwn whether that other one is its caller's alone
    static boolean supersedes(Response answer, boolean isOwn) {
        int status = answer.status();
        if (status >= 500 || NEVER.contains(status) || !answer.reason().isEmpty()) return false;
        return isOwn || (status != 400 && status != 403);
    }

    private static boolean isEndless(Headers fields) {
        String type = fields.first("Content-Type").orElse("");
        return type.startsWith("text/event-stream")
                || type.startsWith("multipart/x-mixed-replace")
                || type.startsWith("application/grpc");
    }
}
