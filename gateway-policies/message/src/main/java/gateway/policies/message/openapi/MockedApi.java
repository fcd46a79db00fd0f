package gateway.policies.message.openapi;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.policies.standard.Preferences;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Answers the operations that a document has; all else goes to the upstream.
record MockedApi(OperationTable operations, BasePath basePath) implements Policy {
    private static final int OK = 200;
    private static final int LAST_OF_SUCCESS = 299;

    /// @param told what of the client's preferences it is
    private record Chosen(
            int status, DescribedAnswer answer, Optional<DescribedExamples.Content> content, String told) {}

    @Override
    public Verdict apply(Exchange exchange) {
        List<String> segments = basePath.segments(exchange);
        if (segments.isEmpty()) return Verdict.proceed();
        return operations
                .find(segments)
                .flatMap(path -> path.operation(exchange.method()))
                .map(operation -> Verdict.answer(response(chosen(operation, exchange))))
                .orElse(Verdict.proceed());
    }

    private static Chosen chosen(DescribedOperation operation, Exchange exchange) {
        List<String> accept = exchange.headers().all("Accept");
        List<String> prefer = exchange.headers().all("Prefer");
        Optional<String> name = Preferences.of("example", prefer);
        List<Integer> statuses = statuses(operation);
        Optional<Integer> code = Preferences.of("code", prefer)
                .filter(each -> each.matches("[2-5][0-9]{2}"))
                .map(Integer::valueOf)
                .filter(each -> operation.answer(each).isPresent());
        for (int status : code.map(List::of).orElse(statuses)) {
            DescribedAnswer answer = operation.answer(status).orElseThrow();
            Optional<DescribedExamples.Content> named =
                    name.isEmpty() ? Optional.empty() : answer.examples().best(accept, name);
            if (named.isPresent()) return new Chosen(status, answer, named, "example=" + name.orElse(""));
        }
        int status = code.orElse(statuses.isEmpty() ? OK : statuses.getFirst());
        DescribedAnswer answer = operation
                .answer(status)
                .orElse(new DescribedAnswer(List.of(), DescribedContent.NONE, DescribedExamples.NONE));
        return new Chosen(
                status,
                answer,
                answer.examples().best(accept, Optional.empty()),
                code.isEmpty() ? "" : "code=" + status);
    }

    /// Those that the document has, what goes well first. `default` is what goes well where nothing else does.
    private static List<Integer> statuses(DescribedOperation operation) {
        var statuses = new TreeSet<Integer>();
        for (String each : operation.answers().keySet())
            if (!each.equals("default")) statuses.add(Integer.parseInt(each.replace("XX", "00")));
        statuses.headSet(OK).clear(); // no answers by themselves
        boolean fails = statuses.isEmpty() || statuses.first() > LAST_OF_SUCCESS;
        if (fails && operation.answers().containsKey("default")) statuses.add(OK);
        return List.copyOf(statuses);
    }

    private static Response response(Chosen chosen) {
        boolean bare = chosen.status() == 204 || chosen.status() == 205 || chosen.status() == 304;
        Optional<DescribedExamples.Content> content = bare ? Optional.empty() : chosen.content();
        Body body = content.isPresent() ? content.get().body() : Body.EMPTY;
        var response = new Response(chosen.status(), Headers.create(), body);
        content.ifPresent(each -> response.with("Content-Type", each.type()));
        chosen.answer().examples().headers().forEach(response::with);
        if (!chosen.told().isEmpty()) response.with("Preference-Applied", chosen.told());
        response.headers().add("Vary", "Accept, Prefer");
        return response;
    }
}
