package gateway.http;

/// An answer on its way to the client: from the upstream or made by a policy. Headers may be changed in place by
/// followups; status and body by making a new response.
public record Response(int status, Headers headers, Body body) {
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
        return new Response(other, headers, body);
    }

    public Response withBody(Body other) {
        return new Response(status, headers, other);
    }

    /// This response with one more header set.
    public Response with(String name, String value) {
        headers.set(name, value);
        return this;
    }
}
