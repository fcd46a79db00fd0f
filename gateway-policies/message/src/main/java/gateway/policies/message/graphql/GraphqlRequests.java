package gateway.policies.message.graphql;

import gateway.http.BodyRefusedException;
import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.json.Json;
import gateway.policies.message.SizedWork;
import gateway.policies.message.json.JsonBodies;
import gateway.service.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// Finds the requests of GraphQL that one of HTTP holds.
///
/// @param most of them
/// @param mostVariables values within the variables of each
record GraphqlRequests(int most, int mostVariables, Workers workers) {
    /// @throws QueryRefusedException when it holds none, or servers may read others there
    SentRequests read(Exchange exchange) {
        return switch (exchange.method()) {
            case "GET", "HEAD" -> inUrl(exchange);
            case "POST" -> inBody(exchange);
            default -> throw QueryRefusedException.of("method-not-allowed", 405, "GraphQL is asked by GET and POST");
        };
    }

    private SentRequests inUrl(Exchange exchange) {
        requireNoBody(exchange);
        JsonNode request = QueryParameters.read(exchange.outgoing().query());
        return new SentRequests.InUrl(request, List.of(RequestMembers.read(request, mostVariables)));
    }

    /// @throws QueryRefusedException when it has one
    static void requireNoBody(Exchange exchange) {
        if (exchange.outgoing().body().length().orElse(1) != 0)
            throw QueryRefusedException.malformed("The request has a body");
    }

    private SentRequests inBody(Exchange exchange) {
        QueryParameters.refuse(exchange.outgoing().query());
        boolean json = GraphqlGuard.JSON.include(exchange.headers());
        boolean graphql = GraphqlGuard.TEXT.include(exchange.headers());
        Optional<HeldBody> body = exchange.held().filter(HeldBody::isPlain);
        if ((!json && !graphql) || !JsonBodies.isUtf8(exchange.headers()) || body.isEmpty())
            throw QueryRefusedException.of(
                    "unsupported-media-type", 415, "A request is application/json or application/graphql in UTF-8");
        if (graphql) return text(body.get());
        return new SizedWork(workers, JsonBodies.SMALL).on(body.get(), exchange, () -> json(body.get()));
    }

    private SentRequests text(HeldBody body) {
        JsonNode request = Json.mapper().createObjectNode().put("query", RequestMembers.utf8(body.plain()));
        JsonNode none = MissingNode.getInstance();
        var one = new GraphqlRequest(
                Optional.of(request.path("query").stringValue()), Optional.empty(), Optional.empty(), none);
        return new SentRequests.InBody(request, List.of(one));
    }

    private SentRequests json(HeldBody body) {
        try {
            JsonNode tree = body.json();
            if (!tree.isArray())
                return new SentRequests.InBody(tree, List.of(RequestMembers.read(tree, mostVariables)));
            if (tree.isEmpty()) throw QueryRefusedException.malformed("A batch is empty");
            if (tree.size() > most) throw QueryRefusedException.tooComplex("at most " + most + " requests in one");
            var all = new ArrayList<GraphqlRequest>(tree.size());
            for (JsonNode each : tree.values()) all.add(RequestMembers.read(each, mostVariables));
            return new SentRequests.InBody(tree, all);
        } catch (BodyRefusedException e) {
            Problem problem = JsonBodies.refusal(e);
            throw QueryRefusedException.of(problem.type(), problem.status(), problem.detail());
        }
    }
}
