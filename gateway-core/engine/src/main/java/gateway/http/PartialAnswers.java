package gateway.http;

import java.util.List;

/// Answers with a part of some content (RFC 9110, section 14): by a part nobody can tell what the whole holds, so
/// whoever looks at contents has requests ask for wholes, and refuses parts that come all the same.
public final class PartialAnswers {
    private static final int STATUS = 206;
    /// The last is older than RFC 2068; Apache httpd takes it still.
    private static final List<String> ASKING = List.of("Range", "If-Range", "Request-Range");

    private PartialAnswers() {}

    /// Has a request ask for the whole.
    ///
    /// @param fields of the request, as the upstream gets them
    public static void forgo(Headers fields) {
        for (int i = 0; i < ASKING.size(); i++) fields.remove(ASKING.get(i));
    }

    public static boolean include(Response answer) {
        return answer.status() == STATUS;
    }
}
