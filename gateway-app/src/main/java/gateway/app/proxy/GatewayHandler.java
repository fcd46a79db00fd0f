package gateway.app.proxy;

import gateway.config.PathParameters;
import gateway.http.CanonicalPath;
import gateway.http.Problem;
import gateway.http.Query;
import gateway.http.RequestHead;
import gateway.http.Response;
import gateway.http.Span;
import gateway.policy.ErrorForms;
import gateway.route.NoRoute;
import gateway.route.Route;
import gateway.route.RouteMatch;
import gateway.route.RouteVersions;
import gateway.service.ApiMeters;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.Snapshot;
import gateway.wire.client.Handshake;
import gateway.wire.http1.Refusal;
import gateway.wire.http1.SentTarget;
import gateway.wire.io.FieldView;
import gateway.wire.io.HttpTransaction;
import gateway.wire.io.RequestThread;
import gateway.wire.io.RequestThreads;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.memory.Pressure;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import org.jspecify.annotations.Nullable;

/// Takes each parsed request from Undertow on its IO thread: reads the snapshot once, finds the route and starts the
/// request thread.
final class GatewayHandler implements HttpHandler {
    private final LiveSnapshot live;
    private final RequestThreads threads;
    private final RequestFields fields;
    private final RequestSpans spans;
    private final Admission admission;
    private final MemoryBudget memory;
    private final ErrorBoundary boundary;
    private final ApiMeters unrouted;
    private final TrafficTap tap;
    private final WebSockets webSockets;
    private final Renewals renewals;
    private final RefusalLog refusals = new RefusalLog();

    GatewayHandler(
            LiveSnapshot live,
            RequestThreads threads,
            RequestFields fields,
            RequestSpans spans,
            Admission admission,
            MemoryBudget memory,
            ErrorBoundary boundary,
            ApiMeters unrouted,
            TrafficTap tap,
            WebSockets webSockets,
            Renewals renewals) {
        this.live = live;
        this.threads = threads;
        this.fields = fields;
        this.spans = spans;
        this.admission = admission;
        this.memory = memory;
        this.boundary = boundary;
        this.unrouted = unrouted;
        this.tap = tap;
        this.webSockets = webSockets;
        this.renewals = renewals;
    }

    Admission admission() {
        return admission;
    }

    ErrorBoundary boundary() {
        return boundary;
    }

    RefusalLog refusals() {
        return refusals;
    }

    /// What counts a request of `route`; of no route, when no API serves it.
    ApiMeters meters(@Nullable Route route) {
        return route == null ? unrouted : route.pipeline().meters();
    }

    TrafficTap tap() {
        return tap;
    }

    WebSockets webSockets() {
        return webSockets;
    }

    Renewals renewals() {
        return renewals;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) {
        Http1Connection connection = Http1Connection.of(exchange);
        handle(connection.transaction(exchange), connection);
    }

    void handle(HttpTransaction transaction, ClientConnection connection) {
        long startedAt = System.nanoTime();
        if (admission.isFull(connection) || memory.pressure() == Pressure.SPENT)
            refuse(transaction, connection, startedAt);
        else route(transaction, connection, startedAt);
    }

    /// Answers a request that no pipeline may see.
    void refuse(HttpTransaction transaction, ClientConnection connection, Refusal refusal) {
        Answer told = id -> Problem.of("malformed-request", refusal.status(), refusal.title(), refusal.detail())
                .toResponse(id);
        answer(transaction, connection, RequestTarget.unread(transaction), told, System.nanoTime());
    }

    private void route(HttpTransaction transaction, ClientConnection connection, long startedAt) {
        SentTarget sent = connection.target();
        HeaderMap sentFields = transaction.requestFields();
        if (!sent.authority().isEmpty() && !sentFields.contains(Headers.HOST))
            sentFields.put(Headers.HOST, sent.authority()); // of HTTP/1.0, which need not say it twice
        if (Query.isWellEscaped(sent.query())) route(transaction, connection, sent, startedAt);
        else malformed(transaction, connection, sent, NoRoute::badQuery, startedAt);
    }

    private void route(HttpTransaction transaction, ClientConnection connection, SentTarget sent, long startedAt) {
        if (CanonicalPath.isPlain(sent.path())) {
            dispatch(transaction, connection, sent.path(), sent, true, false, startedAt);
            return;
        }
        if (ServerOptions.isOfServer(sent)) {
            RequestHead head = RequestTarget.head(transaction, "", sent.path(), sent);
            answer(transaction, connection, head, _ -> ServerOptions.ofServer(), startedAt);
            return;
        }
        switch (CanonicalPath.of(sent.path())) {
            case CanonicalPath.Canonical canonical ->
                dispatch(
                        transaction,
                        connection,
                        canonical.path(),
                        sent,
                        false,
                        canonical.encodedSeparators(),
                        startedAt);
            case CanonicalPath.Refused refused ->
                malformed(transaction, connection, sent, id -> NoRoute.badPath(refused.why(), id), startedAt);
        }
    }

    private void malformed(
            HttpTransaction transaction, ClientConnection connection, SentTarget sent, Answer told, long startedAt) {
        transaction.endsConnection(); // as after whatever else is malformed
        answer(transaction, connection, RequestTarget.head(transaction, "", sent.path(), sent), told, startedAt);
    }

    /// @param plain whether the path surely holds no parameters
    private void dispatch(
            HttpTransaction transaction,
            ClientConnection connection,
            String path,
            SentTarget sent,
            boolean plain,
            boolean encodedSeparators,
            long startedAt) {
        String host = connection.host(transaction.requestFields().getFirst(Headers.HOST));
        RequestHead head = RequestTarget.head(transaction, host, path, sent);
        Snapshot snapshot = live.current();
        switch (snapshot.table().match(host, path, head.method())) {
            case RouteMatch.Found(Route found) -> {
                if (!plain && isToBeStripped(found, path, sent)) {
                    route(transaction, connection, sent.at(PathParameters.without(sent.path())), startedAt);
                    return;
                }
                if (!plain && snapshot.table().passesBy(found, host, path, sent.path(), head.method())) {
                    answer(
                            transaction,
                            connection,
                            head,
                            NoRoute::pathParameters,
                            found.api().errors(),
                            startedAt);
                    return;
                }
                Answer own = own(found, head, encodedSeparators, transaction);
                if (own != null) {
                    answer(transaction, connection, head, own, found.api().errors(), startedAt);
                    return;
                }
                HopOptions hop = hop(transaction);
                Route route = served(found, head, transaction);
                ErrorForms errors = found.api().errors();
                long revision = snapshot.revision();
                start(transaction, run(transaction, connection, head, route, errors, hop, revision, startedAt));
            }
            case RouteMatch.NotFound _ -> answer(transaction, connection, head, NoRoute::notFound, startedAt);
            case RouteMatch.WrongMethod wrong ->
                answer(transaction, connection, head, id -> NoRoute.wrongMethod(wrong, id), startedAt);
        }
    }

    private static boolean isToBeStripped(Route found, String path, SentTarget sent) {
        PathParameters parameters = found.api().pathParameters();
        return parameters.concern(path) && parameters.strips(sent.path());
    }

    /// What the gateway answers in place of the API that was found; null when that is asked.
    private static @Nullable Answer own(
            Route found, RequestHead head, boolean encodedSeparators, HttpTransaction transaction) {
        if (encodedSeparators && !found.api().encodedSlashes()) return NoRoute::encodedSlash;
        if (found.api().pathParameters().concern(head.path())) return NoRoute::pathParameters;
        if (ServerOptions.isAmbiguous(head.method(), transaction.requestFields())) return NoRoute::maxForwards;
        if (!ServerOptions.endsHere(head.method(), transaction.requestFields())) return null;
        return _ -> ServerOptions.of(found, head, transaction.requestFields());
    }

    /// Once for each request, ahead of all that looks at its fields.
    private HopOptions hop(HttpTransaction transaction) {
        HopOptions hop = fields.dropHopByHop(transaction.requestFields());
        if (hop.close()) transaction.endsConnection();
        return hop;
    }

    /// A header that the client gives to this hop alone chooses no version: the upstream would not see it.
    private static Route served(Route found, RequestHead head, HttpTransaction transaction) {
        RouteVersions versions = found.versions();
        Route version = versions == null
                ? found
                : versions.choose(head.path(), new FieldView(transaction.requestFields()), head.query());
        return version.of(head.path(), head.method());
    }

    private RequestRun run(
            HttpTransaction transaction,
            ClientConnection connection,
            RequestHead head,
            @Nullable Route route,
            ErrorForms errors,
            HopOptions hop,
            long revision,
            long startedAt) {
        RequestThread thread = connection.thread(threads);
        Handshake handshake = hop.webSocket() && route != null ? webSockets.handshake(transaction, route) : null;
        String caller = spans.areOff() ? null : fields.caller(transaction.requestFields(), connection);
        String id = fields.describe(transaction.requestFields(), connection, transaction.scheme());
        Span span = spans.begin(transaction.requestFields(), caller, startedAt);
        var client =
                new ClientRequest(transaction, connection, thread, fields, id, head, route, span, handshake, startedAt);
        var run = new RequestRun(this, client, route, errors, revision, startedAt);
        Response refusal = handshake == null || route == null ? null : webSockets.refusal(transaction, route, id);
        if (refusal != null) run.answerWith(refusal);
        return run;
    }

    private static void start(HttpTransaction transaction, RequestRun run) {
        transaction.start(run);
    }

    private void answer(
            HttpTransaction transaction, ClientConnection connection, RequestHead head, Answer answer, long startedAt) {
        answer(transaction, connection, head, answer, ErrorForms.NONE, startedAt);
    }

    private void answer(
            HttpTransaction transaction,
            ClientConnection connection,
            RequestHead head,
            Answer answer,
            ErrorForms errors,
            long startedAt) {
        HopOptions hop = hop(transaction);
        long revision = live.current().revision();
        RequestRun run = run(transaction, connection, head, null, errors, hop, revision, startedAt);
        run.answerWith(answer.to(transaction.requestFields().getFirst(RequestFields.REQUEST_ID)));
        start(transaction, run);
    }

    /// Neither a place nor room to wait for one, or no memory: answered without a pipeline, so that refusing stays
    /// cheap.
    private void refuse(HttpTransaction transaction, ClientConnection connection, long startedAt) {
        admission.refuse();
        answer(transaction, connection, RequestTarget.unread(transaction), Admission::refusal, startedAt);
    }

    /// A response made once the request's id is known.
    private interface Answer {
        Response to(String requestId);
    }
}
