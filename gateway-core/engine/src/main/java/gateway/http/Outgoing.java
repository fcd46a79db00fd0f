package gateway.http;

import gateway.http.CanonicalPath.Canonical;
import gateway.http.CanonicalPath.Refused;
import java.util.function.Predicate;

/// What the upstream gets of a request: at first what the client sent, then what policies make of it. Used by one
/// thread at a time. Which server gets it, and by which protocol, is the upstream's to choose.
public final class Outgoing {
    private static final String CONTENT_LENGTH = "Content-Length";

    private RequestHead head; // with another method, once that is rewritten
    private Forwarding forwarding;
    private final Headers headers;
    private String query;
    private Body body;

    Outgoing(RequestHead head, Forwarding forwarding, Headers headers, String query, Body body) {
        this.head = head;
        this.forwarding = forwarding;
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

    /// Sends another method than the client did. `GET` and `HEAD` go without content; what is decided by the method
    /// the client sent stays decided.
    ///
    /// @param other a token such as `PUT`, neither `CONNECT` nor `TRACE`
    public void method(String other) {
        head = new RequestHead(other, head.scheme(), head.host(), head.path(), head.rawPath(), head.query());
        switch (other) {
            case "GET", "HEAD" -> dropContent();
            case "POST", "PUT", "PATCH" -> {
                if (body.equals(Body.EMPTY)) headers.set(CONTENT_LENGTH, "0"); // servers answer 411 without
            }
            default -> {}
        }
    }

    private void dropContent() {
        replaceBody(Body.EMPTY);
        headers.remove(CONTENT_LENGTH);
        headers.remove("Content-Type");
    }

    /// The path below the target's own: as the client sent it, byte for byte, without the API's prefix when that is
    /// stripped, or what policies have made of it. Begins with `/`.
    public String path() {
        return forwarding.forwardedPath(head.rawPath());
    }

    /// Sends another path, which has to pass what paths of clients pass; else nothing changes. What is decided by the
    /// path the client sent, such as who may call it, stays decided.
    ///
    /// @param raw percent-encoded as it is sent, without the query
    public CanonicalPath path(String raw) {
        CanonicalPath found = CanonicalPath.of(raw);
        return switch (found) {
            case Refused refused -> refused;
            case Canonical(var _, boolean separators)
            when separators && !forwarding.encodedSeparators() -> new Refused("the path holds an encoded slash");
            case Canonical canonical -> {
                forwarding = rewriting().withPath(raw);
                yield canonical;
            }
        };
    }

    /// What `Host` or `:authority` is to be; empty text: the target's own, or the client's where the upstream has it
    /// preserved. The server's name in TLS stays the target's.
    public String authority() {
        return forwarding.authority();
    }

    /// @param other host with or without a port, in lower case
    public void authority(String other) {
        forwarding = rewriting().withAuthority(other);
    }

    /// The branch of a split upstream that the request goes to; empty text: the one that the split chooses.
    public String branch() {
        return forwarding.branch();
    }

    /// @param name of a branch that the upstream has
    public void branch(String name) {
        forwarding = rewriting().withBranch(name);
    }

    private Rewriting rewriting() {
        return forwarding instanceof Rewriting begun
                ? begun
                : new Rewriting(path(), forwarding.authority(), forwarding.branch(), forwarding.encodedSeparators());
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

    /// Takes every parameter out but those whose names are such.
    public void keepQueryParameters(Predicate<String> names) {
        query = Query.keeping(query, names);
    }

    /// The fields, but for those that end at this hop, which the gateway sets.
    public Headers headers() {
        return headers;
    }

    public Body body() {
        return body;
    }

    /// Sends `other` instead of what the client sends; length and framing follow it, and fields that tell of the old
    /// one
    /// go. It is plain: whoever packs it sets `Content-Encoding` afterwards.
    public void replaceBody(Body other) {
        body = other;
        ContentFields.replaced(headers);
    }

    /// All of the body is here; what is sent stays the same.
    public void hold(HeldBody whole) {
        body = whole;
    }

    /// All that the client sends is here; stations that it passes still are left to see it.
    public void arrived(HeldBody whole) {
        if (body instanceof PassingBody passing) passing.arrived(whole);
        else body = whole;
    }

    /// The body passes one station more; fields that tell of the old one go where that makes another of it.
    public void pass(PassingBody with) {
        body = with;
        if (!with.changes()) return;
        ContentFields.replaced(headers);
        headers.remove(CONTENT_LENGTH);
    }

    /// The same as it stands, to be sent apart from this one: what becomes of either changes nothing in the other.
    ///
    /// @param fields of its own
    public Outgoing copy(Headers fields) {
        return new Outgoing(head, forwarding, fields, query, body);
    }

    @Override
    public String toString() {
        return method() + ' ' + path();
    }
}
