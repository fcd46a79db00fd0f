package gateway.policies.message.graphql;

import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.service.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Holds requests against what a definition says of them.
///
/// @param known documents that clients may name; empty: they may name none
record QueryJudge(GraphqlGuard policy, QueryShapes shapes, Optional<PersistedQueries> known, Workers workers) {
    /// The label under which records tell what a request costs.
    static final String LABEL = "graphql-cost";

    /// The documents that requests name, each in its place; empty texts where they carry them.
    ///
    /// @throws QueryRefusedException when one of them may not pass
    List<String> judge(List<GraphqlRequest> requests, Exchange exchange) {
        var named = new ArrayList<String>(requests.size());
        long cost = 0;
        int characters = 0;
        int tokens = 0;
        for (GraphqlRequest each : requests) {
            String text = each.text().orElseGet(() -> named(each));
            named.add(each.text().isPresent() ? "" : text);
            if (each.text().isPresent()) requireKnown(text);
            characters += text.length();
            if (characters > policy.bounds().characters())
                throw QueryRefusedException.tooLong(policy.bounds().characters());
            QueryShape shape = shapes.of(text, workers, exchange);
            tokens += shape.tokens();
            if (tokens > policy.bounds().tokens())
                throw QueryRefusedException.tooManyTokens(policy.bounds().tokens());
            requireSame(each);
            requireAllowed(shape, exchange);
            requireOperation(shape, each.operation());
            if (policy.cost().isPresent())
                cost += shape.weight()
                        .cost(new VariableLengths(
                                each.variables(), policy.cost().get()));
        }
        requireCheap(cost, exchange);
        return named;
    }

    private String named(GraphqlRequest request) {
        if (known.isEmpty()) throw QueryRefusedException.unknownQuery("PersistedQueryNotSupported");
        boolean only = policy.persisted().map(PersistedRule::only).orElse(false);
        return request.id()
                .flatMap(known.get()::text)
                .orElseThrow(() -> QueryRefusedException.unknownQuery(
                        only ? "PersistedQueryNotInList" : "PersistedQueryNotFound"));
    }

    /// A request that names a document and carries one means one and the same.
    private static void requireSame(GraphqlRequest request) {
        if (request.text().isEmpty() || request.id().isEmpty()) return;
        QueryId id = request.id().get();
        if (!id.hash()
                || !id.value().equals(PersistedQueries.hash(request.text().get())))
            throw QueryRefusedException.malformed("The request names another document than it carries");
    }

    private void requireKnown(String text) {
        boolean only = policy.persisted().map(PersistedRule::only).orElse(false);
        if (only && !known.map(each -> each.holds(text)).orElse(false))
            throw QueryRefusedException.unwanted("The document is not one of those that may be asked");
    }

    private void requireAllowed(QueryShape shape, Exchange exchange) {
        if (shape.introspects() && policy.introspection() == SchemaQuestions.DENY)
            throw QueryRefusedException.unwanted("The schema may not be asked for");
        List<String> tags = exchange.consumer().map(Consumer::tags).orElse(List.of());
        for (OperationKind each : shape.kinds()) {
            if (!policy.operations().allows(each, tags))
                throw QueryRefusedException.of("forbidden", 403, "This kind of operation may not be asked for");
        }
        if (shape.kinds().contains(OperationKind.MUTATION) && !exchange.method().equals("POST"))
            throw QueryRefusedException.of("method-not-allowed", 405, "A mutation is asked for by POST");
    }

    private static void requireOperation(QueryShape shape, Optional<String> operation) {
        Set<String> names = shape.names();
        if (operation.isEmpty() && names.size() > 1)
            throw QueryRefusedException.invalid("The request does not say which operation");
        if (operation.isPresent() && !names.contains(operation.get()))
            throw QueryRefusedException.invalid("The document has no operation of this name");
    }

    private void requireCheap(long cost, Exchange exchange) {
        if (policy.cost().isEmpty()) return;
        exchange.label(LABEL, Long.toString(cost));
        long limit = policy.cost().get().limit();
        if (cost > limit) throw QueryRefusedException.tooComplex("a cost of at most " + limit);
    }
}
