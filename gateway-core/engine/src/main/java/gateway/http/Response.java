package gateway.http;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An answer on its way to the client: from the upstream or made by a policy. Headers may be changed in place by
/// followups; status and body by making a new response.
///
/// @param reason why the gateway answers rather than the upstream: the type of its [Problem], such as `rate-limited`;
///     empty for what an upstream or a policy gives as an answer
/// @param problem what the body tells, while it is the one that the gateway has made of it; null for all other bodies
/// @param sentStatus what the client gets for a status: `status`, but for errors whose form has one of its own, which
///     no policy sees
public record Response(
        int status,
        Headers headers,
        Body body,
        String reason,
        @Nullable Problem problem,
        int sentStatus) {
    private static final int LEAST_STATUS = 100;
    private static final int MOST_STATUS = 999; // three digits, in whichever form they are sent

    public Response {
        if (status < LEAST_STATUS || status > MOST_STATUS || sentStatus < LEAST_STATUS || sentStatus > MOST_STATUS) {
            throw new IllegalArgumentException("expected a status of three digits, got " + status);
        }
    }

    public Response(int status, Headers headers, Body body) {
        this(status, headers, body, "", null);
    }

    Response(int status, Headers headers, Body body, String reason, @Nullable Problem problem) {
        this(status, headers, body, reason, problem, status);
    }

    /// An answer without content.
    public static Response of(int status) {
        return new Response(status, Headers.create(), Body.EMPTY);
    }

    public static Response of(int status, String contentType, byte[] content) {
        Response response = new Response(status, Headers.create(), Body.of(content));
        response.headers().set("Content-Type", contentType);
        return response;
    }

    public Response withStatus(int other) {
        return new Response(other, headers, body, reason, problem);
    }

    /// The same answer, sent to the client with the status `other`.
    public Response sentAs(int other) {
        return new Response(status, headers, body, reason, problem, other);
    }

    /// With another body, whose length follows it; fields that tell of the old one go. It is plain: whoever packs it
    /// sets `Content-Encoding` afterwards.
    public Response withBody(Body other) {
        ContentFields.replaced(headers);
        return new Response(status, headers, other, reason, null, sentStatus);
    }

    /// For content of which nobody can tell what `GET` would get, as that of `HEAD` or 304 where contents are changed:
    /// neither its length nor its version is told (RFC 9110, section 8.6), those of a body that is here
    /// neither.
    public Response ofUnknownContent() {
        Response untold = withBody(Body.EMPTY);
        untold.headers.remove("Content-Length");
        return untold;
    }

    /// The same answer, whose body is told as it is.
    public Response settled() {
        return new Response(status, headers, body, reason, null, sentStatus);
    }

    /// The same answer, now that all of its body is here.
    public Response holding(HeldBody whole) {
        return new Response(status, headers, whole, reason, problem, sentStatus);
    }

    /// The same answer, whose body comes another way and whose fields tell of it still.
    public Response carrying(Body same) {
        return new Response(status, headers, same, reason, problem, sentStatus);
    }

    /// All of its body, once the pipeline has gathered it for a policy that says so; empty for what streams.
    public Optional<HeldBody> held() {
        return body instanceof HeldBody whole ? Optional.of(whole) : Optional.empty();
    }

    /// Whether an answer to `method` with this status may have content, whatever its fields say (RFC 9110 §6.4.1).
    public boolean mayHaveContent(String method) {
        return status >= 200 && status != 204 && status != 304 && !method.equals("HEAD");
    }

    /// The same answer as a refusal for `other`.
    public Response because(String other) {
        return new Response(status, headers, body, other, problem, sentStatus);
    }

    /// This response with one more header set.
    public Response with(String name, String value) {
        headers.set(name, value);
        return this;
    }
}
