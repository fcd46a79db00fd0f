package gateway.policies.message;

import gateway.http.Headers;
import gateway.http.Response;
import java.util.List;

/// Answers with a part of some content (RFC 9110, section 14): by a part nobody can tell what the whole holds, so
/// whoever looks at contents has requests ask for wholes, and refuses parts that come all the same.
public final class PartialAnswers {
    private static final int STATUS = 206;
    /// The last is older than RFC 2068; Apache httpd takes it still, and answers with the second type below.
    private static final List<String> ASKING = List.of("Range", "If-Range", "Request-Range");

    private static final MediaRanges SEVERAL =
            new MediaRanges(List.of("multipart/byteranges", "multipart/x-byteranges"));

    private PartialAnswers() {}

    /// Has a request ask for the whole.
    ///
    /// @param fields of the request, as the upstream gets them
    public static void forgo(Headers fields) {
        for (int i = 0; i < ASKING.size(); i++) fields.remove(ASKING.get(i));
    }

    /// Whether an answer is a part of content of one of these types, or several parts of who knows what.
    public static boolean holds(Response answer, MediaRanges types) {
        return answer.status() == STATUS && (types.include(answer.headers()) || SEVERAL.include(answer.headers()));
    }
}
