package gateway.route;

import gateway.http.Problem;
import gateway.http.Response;

/// What a request is answered that has no route (RFC 9457).
public final class NoRoute {
    private NoRoute() {}

    public static Response notFound(String requestId) {
        return Problem.of("not-found", 404, "Not found", "No API serves this path")
                .toResponse(requestId);
    }

    public static Response wrongMethod(RouteMatch.WrongMethod wrong, String requestId) {
        return Problem.of("method-not-allowed", 405, "Method not allowed", "This path is not served with this method")
                .toResponse(requestId)
                .with("Allow", String.join(", ", wrong.allowed()));
    }

    /// @param why holds no part of the path
    public static Response badPath(String why, String requestId) {
        return Problem.of("bad-path", 400, "Bad Request", why).toResponse(requestId);
    }

    /// The query holds a `%` that is no escape: what reads it next may take it for anything.
    public static Response badQuery(String requestId) {
        return Problem.of("bad-query", 400, "Bad Request", "the query holds a malformed percent-escape")
                .toResponse(requestId);
    }

    /// `Max-Forwards`, of which there may be one (RFC 9110 §5.3), is there more than once.
    public static Response maxForwards(String requestId) {
        return Problem.of("malformed-request", 400, "Bad Request", "there is more than one Max-Forwards")
                .toResponse(requestId);
    }

    /// The path holds `;`, and its API does not let it pass.
    public static Response pathParameters(String requestId) {
        return badPath("the path holds parameters (;)", requestId);
    }

    /// The path holds `%2F` or `%5C`, and its API does not let them pass.
    public static Response encodedSlash(String requestId) {
        return badPath("the path holds an encoded slash", requestId);
    }
}
