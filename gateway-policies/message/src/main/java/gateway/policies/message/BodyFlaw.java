package gateway.policies.message;

import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigProblem;
import java.util.List;

/// Why a message may not pass. Of a request the client is told as it stands; an answer becomes 502, and the client
/// learns no more than what kind of thing is wrong with it.
///
/// @param detail never a value that was found
/// @param errors each under its pointer
public record BodyFlaw(String type, int status, String title, String detail, List<ConfigProblem> errors) {
    static final BodyFlaw MISSING = of("malformed-body", 400, "Malformed body", "The body is missing");
    static final BodyFlaw TYPE = of(
            "unsupported-media-type", 415, "Unsupported media type", "The body is of none of the types that are taken");
    static final BodyFlaw STREAM =
            of("unsupported-media-type", 415, "Unsupported media type", "The body is a stream, which cannot be checked");
    static final BodyFlaw CHARSET =
            of("unsupported-media-type", 415, "Unsupported media type", "The body is not said to be UTF-8");

    public BodyFlaw {
        errors = List.copyOf(errors);
    }

    public static BodyFlaw of(String type, int status, String title, String detail) {
        return new BodyFlaw(type, status, title, detail, List.of());
    }

    /// @param what it is, to be said after "The body is"
    public static BodyFlaw malformed(String what) {
        return of("malformed-body", 400, "Malformed body", "The body is " + what);
    }

    /// @param where as a pointer; empty for the whole body
    public static BodyFlaw tooComplex(String where, String expected) {
        return new BodyFlaw(
                "content-too-complex",
                400,
                "Content too complex",
                "The body is more complex than it may be",
                List.of(new ConfigProblem(where, "expected " + expected)));
    }

    public Response ofRequest(String requestId) {
        return new Problem(type, status, title, detail, errors).toResponse(requestId);
    }

    public Response ofAnswer(String requestId) {
        return Problem.of("response-refused", 502, "Bad gateway", "The upstream's answer may not pass: " + type)
                .toResponse(requestId);
    }
}
