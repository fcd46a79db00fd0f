package gateway.policies.message;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.Optional;

/// Changes messages with content of some types. Others pass as they are, and so do streams without an end, parts, and
/// problems of the gateway's own.
///
/// @param requests types of requests that are changed
/// @param answers types of answers that are changed
/// @param work where that is done
public record MessageChanger(MediaRanges requests, MediaRanges answers, MessageChange change, SizedWork work)
        implements Policy {
    @Override
    public Verdict apply(Exchange exchange) {
        Body body = exchange.outgoing().body();
        if (body instanceof HeldBody held && isChanged(requests, exchange.headers(), held)) {
            Optional<Problem> problem = work.on(held, exchange, () -> change.changeRequest(held, exchange));
            if (problem.isPresent()) return Verdict.stop(problem.get().toResponse(exchange.requestId()));
        }
        if (answers.isEmpty()) return Verdict.proceed();
        exchange.headers().remove("Range"); // a part of what is changed is no part of what comes of it
        exchange.headers().remove("If-Range");
        return Verdict.proceed(new AnswerChange(exchange));
    }

    private static boolean isChanged(MediaRanges types, Headers fields, HeldBody body) {
        return body.content().length > 0 && body.isPlain() && types.include(fields);
    }

    private final class AnswerChange implements Followup {
        private final Exchange exchange;

        AnswerChange(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public Response onResponse(Response response) {
            if (ContentGuard.passesOver(response, exchange)) return response;
            if (!(response.body() instanceof HeldBody held) || !isChanged(answers, response.headers(), held)) {
                return response;
            }
            return work.on(held, exchange, () -> change.changeAnswer(held, response, exchange));
        }
    }
}
