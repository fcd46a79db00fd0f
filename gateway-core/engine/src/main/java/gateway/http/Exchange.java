package gateway.http;

import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One request on its way through the gateway, as policies see it. Used by one thread at a time.
public interface Exchange {
    /// Unique id of this request: the `X-Request-Id` a trusted proxy sent, else made here.
    String requestId();

    /// The id of the API definition that serves this request.
    String api();

    /// The version of the API that serves this request; empty when the API has none.
    default String version() {
        return "";
    }

    /// The method token as sent, such as `GET`.
    String method();

    /// The canonical path that every decision is made on: percent-decoded once, no empty, `.` or `..` segment, begins
    /// with `/`. See [CanonicalPath].
    String path();

    /// The path below the API's prefix, begins with `/`: what path rules and key grants compare.
    String pathInApi();

    /// The path as the client sent it, byte for byte (still percent-encoded), without the query.
    String rawPath();

    /// The query as sent, without `?`; empty text when there is none.
    String query();

    /// The first value of a query parameter, percent-decoded.
    Optional<String> queryParameter(String name);

    /// Removes a query parameter from what the upstream will see.
    void removeQueryParameter(String name);

    /// The segment that `{name}` of the API's match path bound.
    Optional<String> pathParameter(String name);

    /// `http` or `https`, as the client sees it.
    String scheme();

    /// The host the client asked for, lower case, without port.
    String host();

    /// The client's address: the socket peer, or what a trusted proxy says it is.
    InetAddress clientAddress();

    /// The request's headers; what the upstream will see, but for the hop-by-hop ones that the gateway sets.
    Headers headers();

    /// The first cookie called `name`.
    Optional<String> cookie(String name);

    Body body();

    /// Sends `body` to the upstream instead of what the client sent; length and framing follow it.
    void replaceBody(Body body);

    /// Lets at most `bytes` of request body pass; the smallest limit asked for holds. A declared length over it is
    /// refused before the upstream is asked, a chunked body when it grows past it: 413 either way.
    void limitBody(long bytes);

    /// The caller, once an authentication policy has named it.
    Optional<Consumer> consumer();

    void authenticated(Consumer consumer);

    /// Lets this request pass without a credential: authentication policies that follow ask for none, and limits that
    /// count by caller leave it alone. Path rules say so for open paths, CORS for preflights it passes on.
    void waiveAuthentication();

    boolean authenticationWaived();

    /// What the client has shown on its TLS connection; empty in the clear, and where none was asked for or shown.
    default Optional<ClientCertificate> clientCertificate() {
        return Optional.empty();
    }

    /// The span of this request; null unless its trace is recorded (no object on the way of every request).
    default @Nullable Span span() {
        return null;
    }

    /// The location of the target asked last, such as `http://10.0.0.1:9001`; empty when none was.
    default String upstream() {
        return "";
    }
}
