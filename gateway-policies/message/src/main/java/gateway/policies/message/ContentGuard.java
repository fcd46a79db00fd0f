package gateway.policies.message;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.PartialAnswers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.Optional;

/// Lets pass only messages whose content a check takes.
///
/// @param work where the check runs
public record ContentGuard(ContentRules rules, ContentCheck check, SizedWork work) implements Policy {
    @Override
    public Verdict apply(Exchange exchange) {
        if (rules.scope().on().ofRequests()) {
            Optional<Problem> problem = inRequest(exchange);
            if (problem.isPresent()) return Verdict.stop(problem.get().toResponse(exchange.requestId()));
        }
        if (!rules.scope().on().ofResponses()) return Verdict.proceed();
        PartialAnswers.forgo(exchange.headers());
        return Verdict.proceed(new AnswerCheck(exchange));
    }

    /// What is wrong with the content of a request.
    public Optional<Problem> inRequest(Exchange exchange) {
        return problem(exchange, exchange.headers(), exchange.outgoing().body(), false);
    }

    /// The same of an answer, as it is told of a request.
    public Optional<Problem> inAnswer(Exchange exchange, Response response) {
        return rules.scope().types().includePart(response)
                ? Optional.of(part())
                : problem(exchange, response.headers(), response.body(), true);
    }

    private Optional<Problem> problem(Exchange exchange, Headers fields, Body body, boolean answer) {
        if (body.length().orElse(1) == 0) return rules.required() ? Optional.of(missing()) : Optional.empty();
        if (!rules.scope().types().include(fields)) {
            boolean refused =
                    rules.refusesOthers(answer) || rules.scope().types().mayInclude(fields);
            return refused ? Optional.of(otherType()) : Optional.empty();
        }
        if (!(body instanceof HeldBody whole) || !whole.isPlain()) return Optional.of(endless());
        if (check.passesAtOnce(whole, fields)) return Optional.empty();
        return work.on(whole, exchange, () -> check.check(whole, fields, answer));
    }

    /// Told of a message without content where there has to be some.
    public static Problem missing() {
        return Problem.of("malformed-content", 400, "Malformed content", "The body is missing");
    }

    /// Told of content that cannot be looked at as a rule wants.
    public static Problem otherType() {
        return unseen("The content is of a type that cannot be checked");
    }

    /// Told of an answer that holds a part of some content.
    public static Problem part() {
        return unseen("The content is a part of a whole, which cannot be checked by itself");
    }

    /// Told of a stream without an end.
    public static Problem endless() {
        return unseen("The content is a stream without an end, which cannot be checked");
    }

    private static Problem unseen(String why) {
        return Problem.of("unsupported-media-type", 415, "Unsupported media type", why);
    }

    /// Answers that nobody looks at: problems of the gateway's own, and those without content.
    public static boolean passesOver(Response response, Exchange exchange) {
        return !response.reason().isEmpty() || !response.mayHaveContent(exchange.method());
    }

    /// What the client is told of an answer in which that was found.
    public static Problem ofAnswer(Problem problem) {
        return new Problem(
                "response-refused",
                502,
                "Bad gateway",
                "The upstream's answer is refused: " + problem.detail(),
                problem.errors());
    }

    private final class AnswerCheck implements Followup {
        private final Exchange exchange;

        AnswerCheck(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public Response onResponse(Response response) {
            if (passesOver(response, exchange)) return response;
            return inAnswer(exchange, response)
                    .map(problem -> ofAnswer(problem).toResponse(exchange.requestId()))
                    .orElse(response);
        }
    }
}
