package gateway.http;

/// What the upstream gets of a request: at first what the client sent, then what policies make of it. Used by one
/// thread at a time. Which server gets it, and by which protocol, is the upstream's to choose.
public final class Outgoing {
    private final RequestHead head;
    private final RouteFacts route;
    private final Headers headers;
    private String query;
    private Body body;

    Outgoing(RequestHead head, RouteFacts route, Headers headers, String query, Body body) {
        this.head = head;
        this.route = route;
        this.headers = headers;
        this.query = query;
        this.body = body;
    }

    /// A request that no client has sent.
    ///
    /// @param path begins with `/`
    public static Outgoing of(String method, String path, Headers headers, Body body) {
        return new Outgoing(new RequestHead(method, "", "", path, path, ""), RouteFacts.NONE, headers, "", body);
    }

    public String method() {
        return head.method();
    }

    /// The path below the target's own: as the client sent it, byte for byte, without the API's prefix when that is
    /// stripped. Begins with `/`.
    public String path() {
        return route.forwardedPath(head.rawPath());
    }

    /// Without `?`; empty text when there is none.
    public String query() {
        return query;
    }

    /// Takes every parameter called `name` out; the others stay as they are, byte for byte.
    public void removeQueryParameter(String name) {
        query = Query.without(query, name);
    }

    /// Adds a parameter behind the others; name and value are percent-encoded.
    public void addQueryParameter(String name, String value) {
        String more = Query.encoded(name) + '=' + Query.encoded(value);
        query = query.isEmpty() ? more : query + '&' + more;
    }

    /// The fields, but for those that end at this hop, which the gateway sets.
    public Headers headers() {
        return headers;
    }

    public Body body() {
        return body;
    }

    /// Sends `other` instead of what the client sends; length and framing follow it, and fields that tell of the old one
    /// go. It is plain: whoever packs it sets `Content-Encoding` afterwards.
    public void replaceBody(Body other) {
        body = other;
        ContentFields.replaced(headers);
    }

    /// All of the body is here; what is sent stays the same.
    public void hold(HeldBody whole) {
        body = whole;
    }

    /// The same as it stands, to be sent apart from this one: what becomes of either changes nothing in the other.
    ///
    /// @param fields of its own
    public Outgoing copy(Headers fields) {
        return new Outgoing(head, route, fields, query, body);
    }

    @Override
    public String toString() {
        return method() + ' ' + path();
    }
}
