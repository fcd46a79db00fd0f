package gateway.policies.message;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.PartialAnswers;
import gateway.http.Response;
import java.util.List;

/// Answers whose content a policy changes: what the upstream says of the content before is not said of the one that
/// comes of it (RFC 9110, section 8), to those neither who do not ask for the content.
public final class ChangedAnswers {
    private static final int NOT_MODIFIED = 304;
    private static final List<String> CONDITIONS =
            List.of("If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since");

    private ChangedAnswers() {}

    /// Has a request ask for the whole, whatever its client has already: the upstream's versions are not those of what
    /// the client got. Conditions of requests that may change something stay: they keep one change from undoing
    /// another.
    public static void ask(Exchange exchange) {
        Headers fields = exchange.headers();
        PartialAnswers.forgo(fields);
        String method = exchange.method();
        if (!method.equals("GET") && !method.equals("HEAD")) return;
        for (int i = 0; i < CONDITIONS.size(); i++) fields.remove(CONDITIONS.get(i));
    }

    /// An answer that nobody changes, without what it tells of content of these types: it may be the one to `HEAD`
    /// where that to `GET` would be changed, or 304, which need not say the type.
    public static Response told(Response answer, Exchange exchange, MediaRanges types) {
        Headers fields = answer.headers();
        boolean untold = answer.status() == NOT_MODIFIED && !fields.contains("Content-Type");
        return untold || types.include(fields) ? told(answer, exchange) : answer;
    }

    /// The same where content of any type would be changed.
    public static Response told(Response answer, Exchange exchange) {
        boolean stands =
                answer.status() == NOT_MODIFIED || (exchange.method().equals("HEAD") && answer.mayHaveContent("GET"));
        return stands && answer.reason().isEmpty() ? answer.ofUnknownContent() : answer;
    }
}
