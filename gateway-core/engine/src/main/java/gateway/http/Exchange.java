package gateway.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// One request on its way through the gateway: what the client sent, which route it has found, who calls, and what the
/// upstream is to get ([Outgoing]). The same in front of a socket, in tests and in benchmarks. Who waits for the answer
/// is no part of it. Used by one thread at a time.
public final class Exchange {
    /// The fact that holds what the caller's credential says of the caller, whichever policy has looked at it: the
    /// claims of a token, the answer of an introspection.
    public static final String CLAIMS = "claims";

    /// The fact that holds texts which policies have left for those that follow, by name.
    public static final String VARIABLES = "var";

    /// The fact that holds what the gateway tells of its refusal or failure, where its API has a form for that: type,
    /// status, title, detail and errors.
    public static final String ERROR = "error";

    private final String requestId;
    private final RequestHead head;
    private final ClientFacts client;
    private final RouteFacts route;
    private final Outgoing outgoing;
    private final Body body;
    private @Nullable Findings findings; // null for most requests
    private @Nullable Response answer; // null on the way to the upstream
    private Optional<Consumer> caller = Optional.empty();
    private boolean authenticated;
    private boolean supposed;
    private long bodyLimit;
    private boolean authenticationWaived;

    /// @param headers of the request; what policies change of them is what the upstream sees
    /// @param body as the client sends it
    /// @param bodyLimit most bytes of it that may come
    /// @param span of this request; null unless its trace is recorded (no object on the way of every request)
    public Exchange(
            String requestId,
            RequestHead head,
            ClientFacts client,
            RouteFacts route,
            Headers headers,
            Body body,
            long bodyLimit,
            @Nullable Span span) {
        this.requestId = requestId;
        this.head = head;
        this.client = client;
        this.route = route;
        this.outgoing = new Outgoing(head, route, headers, head.query(), body);
        this.body = body;
        this.bodyLimit = bodyLimit;
        if (span != null) within(span);
    }

    private Exchange(Exchange other, ClientFacts client, Headers headers) {
        this.requestId = other.requestId;
        this.head = other.head;
        this.client = client;
        this.route = other.route;
        this.outgoing = other.outgoing.copy(headers);
        this.body = other.body;
        this.caller = other.caller;
        this.authenticated = other.authenticated;
        this.supposed = other.supposed;
        this.bodyLimit = other.bodyLimit;
        this.authenticationWaived = other.authenticationWaived;
        if (other.findings != null) this.findings = other.findings.ofFacts();
    }

    /// The same as it stands, to go on apart from this one, untraced and unlabelled: what becomes of either changes
    /// nothing in the other.
    ///
    /// @param client what is known of the client when this one is over
    /// @param headers of its own
    public Exchange copy(ClientFacts client, Headers headers) {
        return new Exchange(this, client, headers);
    }

    /// What the upstream gets, to be changed there.
    public Outgoing outgoing() {
        return outgoing;
    }

    /// As the client sent it, whatever policies make of it.
    public RequestHead head() {
        return head;
    }

    /// Unique: the `X-Request-Id` a trusted proxy sent, else made here.
    public String requestId() {
        return requestId;
    }

    /// The id of the API definition that serves this request.
    public String api() {
        return route.apiId();
    }

    /// The version of the API that serves this request; empty when the API has none.
    public String version() {
        return route.versionName();
    }

    /// The method token as sent, such as `GET`.
    public String method() {
        return head.method();
    }

    /// The canonical path that every decision is made on, see [RequestHead#path].
    public String path() {
        return head.path();
    }

    /// The path below the API's prefix, begins with `/`: what path rules and key grants compare.
    public String pathInApi() {
        return route.below(head.path());
    }

    /// Whether the path holds `;` parameters that its API has not chosen to keep: an upstream that takes them off reads
    /// another one, which a grant of some paths need not cover.
    public boolean hasUnaskedParameters() {
        return route.unaskedParameters() && head.path().indexOf(';') >= 0;
    }

    /// The path as the client sent it, byte for byte (still percent-encoded), without the query.
    public String rawPath() {
        return head.rawPath();
    }

    /// What the upstream is sent of another path of this request's host, as the route says; empty when the route is for
    /// none such.
    ///
    /// @param raw percent-encoded as clients send it, without the query
    public Optional<String> forwardedPath(String raw) {
        return switch (CanonicalPath.of(raw)) {
            case CanonicalPath.Refused _ -> Optional.empty();
            case CanonicalPath.Canonical(var path, boolean _) ->
                route.covers(path) ? Optional.of(route.forwardedPath(raw)) : Optional.empty();
        };
    }

    /// The first value of a query parameter, percent-decoded, of those that policies have left.
    public Optional<String> queryParameter(String name) {
        return Query.first(outgoing.query(), name);
    }

    /// The segment that `{name}` of the API's match path bound.
    public Optional<String> pathParameter(String name) {
        return route.pathParameter(name, head.path());
    }

    /// `http` or `https`, as the client sees it.
    public String scheme() {
        return head.scheme();
    }

    /// The host the client asked for, lower case, without port.
    public String host() {
        return head.host();
    }

    /// The client's address: the socket peer, or what a trusted proxy says it is.
    public InetAddress clientAddress() {
        return client.address();
    }

    /// What the client has shown on its TLS connection; empty in the clear, and where none was asked for or shown.
    public Optional<ClientCertificate> clientCertificate() {
        return client.certificate();
    }

    /// Whether it is the handshake of a WebSocket, behind which no policy sees what is said. `Connection` and
    /// `Upgrade`,
    /// which make one of it, are for this hop and not among the headers.
    public boolean opensWebSocket() {
        return client.opensWebSocket();
    }

    /// The request's headers as policies have left them: those of [Outgoing], where they are changed.
    public Headers headers() {
        return outgoing.headers();
    }

    /// The first cookie called `name`.
    public Optional<String> cookie(String name) {
        return RequestCookies.first(outgoing.headers(), name);
    }

    /// The names of all cookies, each once.
    public List<String> cookieNames() {
        return RequestCookies.names(outgoing.headers());
    }

    /// What the client sends, whatever the upstream gets instead.
    public Body body() {
        return body;
    }

    /// All of the body that the upstream gets, once the pipeline has gathered it for a policy that says so;
    /// empty for what streams.
    public Optional<HeldBody> held() {
        return outgoing.body() instanceof HeldBody whole ? Optional.of(whole) : Optional.empty();
    }

    /// Lets at most `bytes` of request body pass; the smallest limit asked for holds. A declared length over it is
    /// refused before the upstream is asked, a chunked body when it grows past it: 413 either way.
    public void limitBody(long bytes) {
        bodyLimit = Math.min(bodyLimit, bytes);
    }

    /// Most bytes that may come of the request's body.
    public long bodyLimit() {
        return bodyLimit;
    }

    /// What is answered, on its way back as policies further in have left it; empty on the way to the upstream.
    public Optional<Response> answer() {
        return Optional.ofNullable(answer);
    }

    public void answered(Response response) {
        answer = response;
    }

    /// The caller, once an authentication policy has named it.
    public Optional<Consumer> consumer() {
        return authenticated ? caller : Optional.empty();
    }

    public void authenticated(Consumer consumer) {
        caller = Optional.of(consumer);
        authenticated = true;
    }

    /// Whose credential it is that came, accepted or not: for records, never for decisions.
    public Optional<Consumer> caller() {
        return caller;
    }

    /// It is known whose credential came, and it is refused.
    public void refused(Consumer consumer) {
        if (!authenticated) caller = Optional.of(consumer);
    }

    /// Lets this request pass without a credential: authentication policies that follow ask for none, and limits that
    /// count by caller leave it alone. Path rules say so for open paths, CORS for preflights it passes on.
    public void waiveAuthentication() {
        authenticationWaived = true;
    }

    public boolean authenticationWaived() {
        return authenticationWaived;
    }

    /// Nobody has sent this request: an operator asks how it would fare.
    public void suppose() {
        supposed = true;
    }

    /// Whether nobody has sent this request. Whoever is asked about it answers as ever, and neither counts it nor
    /// remembers anything of it; what has been remembered already may be looked at.
    public boolean isSupposed() {
        return supposed;
    }

    /// The stretch of this request that is under way: all of it, or a step of it; null unless its trace is recorded.
    public @Nullable Span span() {
        return findings == null ? null : findings.span();
    }

    /// `stretch` is under way from now on, within what was, which whoever calls this puts back when it is over.
    public void within(Span stretch) {
        findings().within(stretch);
    }

    /// What policies have found out about this request and its caller, for those that follow and for conditions: claims
    /// of a token, what an introspection or a call has answered.
    ///
    /// @param place in the facts of all, such as `/jwt/tenant`
    public Optional<JsonNode> fact(JsonPointer place) {
        if (findings == null) return Optional.empty();
        JsonNode found = findings.facts().at(place);
        return found.isMissingNode() || found.isNull() ? Optional.empty() : Optional.of(found);
    }

    /// From now on `value` is a fact. Never a secret: definitions may pass facts on.
    ///
    /// @param name who found it out, such as `jwt`: a policy's type, or its id where a definition may say more than
    /// one
    public void found(String name, JsonNode value) {
        findings().facts().set(name, value);
    }

    /// From now on the variable `name` is `value`, a fact below [#VARIABLES]. Never a secret: definitions may pass it
    /// on.
    public void variable(String name, String value) {
        findings().facts().withObjectProperty(VARIABLES).put(name, value);
    }

    /// Puts `value` into the record of this request, under `name`.
    public void label(String name, String value) {
        findings().label(name, value);
    }

    /// What policies want in the record of this request, by name.
    public Map<String, String> labels() {
        return findings == null ? Map.of() : findings.labels();
    }

    private Findings findings() {
        if (findings == null) findings = new Findings();
        return findings;
    }

    @Override
    public String toString() {
        return method() + ' ' + rawPath();
    }
}
