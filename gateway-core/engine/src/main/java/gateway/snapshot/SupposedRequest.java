package gateway.snapshot;

import gateway.config.PathParameters;
import gateway.http.CanonicalPath;
import gateway.http.ClientCertificate;
import gateway.http.ClientFacts;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Query;
import gateway.http.RequestHead;
import gateway.http.Response;
import gateway.http.RouteFacts;
import gateway.route.NoRoute;
import gateway.route.Route;
import gateway.route.RouteMatch;
import gateway.snapshot.RequestPreparation.Prepared;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A request that nobody has sent, of which an operator asks how it would fare.
///
/// @param path as it would be sent, without the query; begins with `/`
/// @param query without `?`; empty text when there is none
/// @param headers as they would be sent, `Host` among them
/// @param peer of the connection that it would come by
/// @param facts that are known of it before any policy is asked, by name
public record SupposedRequest(
        String method,
        String scheme,
        String path,
        String query,
        Headers headers,
        InetAddress peer,
        HeldBody body,
        Map<String, JsonNode> facts) {
    public SupposedRequest {
        facts = Map.copyOf(facts);
    }

    /// Finds its route in `snapshot` and asks the policies of that about it, on the calling thread; may block. Nothing
    /// is spent, counted or called.
    public Explanation explain(Snapshot snapshot, RequestPreparation preparation) {
        Prepared prepared = preparation.prepare(headers, peer, scheme);
        String id = prepared.requestId();
        if (!Query.isWellEscaped(query)) return unrouted(snapshot, prepared, path, NoRoute.badQuery(id));
        return switch (CanonicalPath.of(path)) {
            case CanonicalPath.Refused refused ->
                unrouted(snapshot, prepared, path, NoRoute.badPath(refused.why(), id));
            case CanonicalPath.Canonical canonical ->
                switch (snapshot.table().match(prepared.host(), canonical.path(), method)) {
                    case RouteMatch.NotFound _ -> unrouted(snapshot, prepared, canonical.path(), NoRoute.notFound(id));
                    case RouteMatch.WrongMethod wrong ->
                        unrouted(snapshot, prepared, canonical.path(), NoRoute.wrongMethod(wrong, id));
                    case RouteMatch.Found(Route found) ->
                        isToBeStripped(found, canonical)
                                ? withoutParameters().explain(snapshot, preparation)
                                : found(snapshot, prepared, canonical, found);
                };
        };
    }

    private Explanation found(Snapshot snapshot, Prepared prepared, CanonicalPath.Canonical canonical, Route found) {
        if (canonical.encodedSeparators() && !found.api().encodedSlashes())
            return unrouted(snapshot, prepared, canonical.path(), NoRoute.encodedSlash(prepared.requestId()));
        if (found.api().pathParameters().concern(canonical.path())
                || snapshot.table().passesBy(found, prepared.host(), canonical.path(), path, method))
            return unrouted(snapshot, prepared, canonical.path(), NoRoute.pathParameters(prepared.requestId()));
        Route version =
                found.versions() == null ? found : found.versions().choose(canonical.path(), prepared.headers(), query);
        Route route = version.of(canonical.path(), method);
        Exchange exchange = exchange(
                client(prepared, route),
                prepared,
                canonical.path(),
                route,
                route.api().maxBodyBytes());
        facts.forEach(exchange::found);
        var walked = route.pipeline().explain(exchange);
        return new Explanation(snapshot.revision(), exchange, Optional.of(route), walked.steps(), walked.answer());
    }

    private boolean isToBeStripped(Route found, CanonicalPath.Canonical canonical) {
        PathParameters parameters = found.api().pathParameters();
        return parameters.concern(canonical.path()) && parameters.strips(path);
    }

    private SupposedRequest withoutParameters() {
        return new SupposedRequest(method, scheme, PathParameters.without(path), query, headers, peer, body, facts);
    }

    private Explanation unrouted(Snapshot snapshot, Prepared prepared, String canonical, Response answer) {
        Exchange exchange =
                exchange(ClientFacts.at(prepared.client()), prepared, canonical, RouteFacts.NONE, Long.MAX_VALUE);
        return new Explanation(snapshot.revision(), exchange, Optional.empty(), List.of(), Optional.of(answer));
    }

    private ClientFacts client(Prepared prepared, Route route) {
        boolean upgrades =
                headers.first("Upgrade").filter("websocket"::equalsIgnoreCase).isPresent();
        return new SupposedClient(prepared.client(), upgrades && route.api().webSocket());
    }

    private record SupposedClient(InetAddress address, boolean opensWebSocket) implements ClientFacts {
        @Override
        public Optional<ClientCertificate> certificate() {
            return Optional.empty();
        }
    }

    private Exchange exchange(
            ClientFacts client, Prepared prepared, String canonical, RouteFacts route, long bodyLimit) {
        return new Exchange(
                prepared.requestId(),
                new RequestHead(method, scheme, prepared.host(), canonical, path, query),
                client,
                route,
                prepared.headers(),
                body,
                bodyLimit,
                null);
    }
}
