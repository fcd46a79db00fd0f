package gateway.policies.message.openapi;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.schema.SchemaUse;
import java.util.List;
import java.util.Optional;

/// Looks at requests and answers as an operation has them.
///
/// @param errors that are told at most
/// @param status of the refusal of a request
record MessageChecks(MessageContents contents, int errors, int status) {
    private static final NamedTexts NOTHING = new NamedTexts(List.of(), false);

    /// What is wrong with a request.
    ///
    /// @param path its segments, decoded
    Optional<Problem> ofRequest(Exchange exchange, DescribedOperation operation, List<String> path) {
        var faults = new Faults(errors);
        Headers headers = exchange.headers();
        if (!operation.parameters().isEmpty()) {
            NamedTexts query =
                    operation.usesQuery() ? NamedTexts.of(exchange.outgoing().query()) : NOTHING;
            if (query.broken()) faults.add("query", "", "expected names that are percent-encoded UTF-8");
            if (query.fields().size() > NamedTexts.MOST)
                faults.add("query", "", "expected at most " + NamedTexts.MOST + " parameters");
            NamedTexts cookies = operation.usesCookies() ? NamedTexts.ofCookies(headers.all("Cookie")) : NOTHING;
            // what is cut off is not checked, so padding must not let a cookie by
            if (cookies.fields().size() > NamedTexts.MOST)
                faults.add("cookie", "", "expected at most " + NamedTexts.MOST + " cookies");
            var parts = new RequestParts(operation.values(path, exchange.rawPath()), query, headers, cookies);
            for (DescribedParameter each : operation.parameters()) each.check(parts, SchemaUse.REQUEST, faults);
        }
        Optional<Problem> ended = contents.check(
                exchange, exchange.outgoing().body(), headers, operation.content(), SchemaUse.REQUEST, faults);
        return ended.isPresent() ? ended : faults.problem(status);
    }

    /// What is wrong with an answer, as it is told to the client.
    Optional<Problem> ofAnswer(Exchange exchange, DescribedOperation operation, Response response) {
        if (operation.answers().isEmpty()) return Optional.empty(); // the document says nothing of them
        var faults = new Faults(errors);
        Optional<DescribedAnswer> described = operation.answer(response.status());
        if (described.isEmpty()) {
            faults.add("status", "", "expected a status that the document has, got " + response.status());
            return faults.problem(status).map(ContentGuard::ofAnswer);
        }
        DescribedAnswer answer = described.get();
        if (isUnnamedPart(response, operation))
            return Optional.of(ContentGuard.part()).map(ContentGuard::ofAnswer);
        if (!answer.headers().isEmpty()) {
            RequestParts parts = RequestParts.ofAnswer(response.headers());
            for (DescribedParameter each : answer.headers()) each.check(parts, SchemaUse.ANSWER, faults);
        }
        boolean looks = response.mayHaveContent(exchange.method())
                && !answer.content().media().isEmpty();
        Optional<Problem> ended = looks
                ? contents.check(
                        exchange, response.body(), response.headers(), answer.content(), SchemaUse.ANSWER, faults)
                : Optional.empty();
        return (ended.isPresent() ? ended : faults.problem(status)).map(ContentGuard::ofAnswer);
    }

    /// Whether it is a part of what would be looked at whole; where the document has parts, they are as it says.
    private boolean isUnnamedPart(Response response, DescribedOperation operation) {
        return contents.types().includePart(response) && !operation.names(response.status());
    }
}
