package gateway.policies.message;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.Optional;

/// Sends other content in the place of that of messages.
///
/// @param requests types of those that it may change
/// @param answers types of those that it may change
public record ContentChange(MessageSide on, MediaRanges requests, MediaRanges answers, Maker maker) implements Policy {
    /// @param types of both
    public ContentChange(MessageSide on, MediaRanges types, Maker maker) {
        this(on, types, types, maker);
    }

    /// Makes it of one message; empty: that one goes on as it is.
    public interface Maker {
        Optional<Made> ofRequest(Exchange exchange);

        Optional<Made> ofAnswer(Response response, Exchange exchange);
    }

    /// What becomes of one message.
    public sealed interface Made {
        /// @param type of the content; empty: as before
        record Content(Body body, String type) implements Made {}

        /// @param problem as it is told of a request
        record Refused(Problem problem) implements Made {}

        /// What the client is answered in the place of both.
        record Instead(Response response) implements Made {}
    }

    @Override
    public Verdict apply(Exchange exchange) {
        if (on.ofRequests()) {
            if (isSaidTwice(requests, exchange.headers(), exchange.outgoing().body()))
                return Verdict.stop(ContentGuard.otherType().toResponse(exchange.requestId()));
            Optional<Made> made = maker.ofRequest(exchange);
            if (made.isPresent()) {
                switch (made.get()) {
                    case Made.Content(var body, var type) -> {
                        exchange.outgoing().replaceBody(body);
                        if (!type.isEmpty()) exchange.headers().set("Content-Type", type);
                    }
                    case Made.Refused(var problem) -> {
                        return Verdict.stop(problem.toResponse(exchange.requestId()));
                    }
                    case Made.Instead(var response) -> {
                        return Verdict.stop(response);
                    }
                }
            }
        }
        if (!on.ofResponses()) return Verdict.proceed();
        ChangedAnswers.ask(exchange);
        return Verdict.proceed(new Back(exchange));
    }

    /// Whether some of its readers take it for what is to be changed, and others for something else.
    private static boolean isSaidTwice(MediaRanges types, Headers fields, Body body) {
        return body.length().orElse(1) != 0 && !types.include(fields) && types.mayInclude(fields);
    }

    private final class Back implements Followup {
        private final Exchange exchange;

        Back(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public Response onResponse(Response response) {
            if (ContentGuard.passesOver(response, exchange)) return ChangedAnswers.told(response, exchange, answers);
            if (answers.includePart(response))
                return ContentGuard.ofAnswer(ContentGuard.part()).toResponse(exchange.requestId());
            if (isSaidTwice(answers, response.headers(), response.body()))
                return ContentGuard.ofAnswer(ContentGuard.otherType()).toResponse(exchange.requestId());
            Optional<Made> made = maker.ofAnswer(response, exchange);
            if (made.isEmpty()) return response;
            return switch (made.get()) {
                case Made.Content(var body, var type) ->
                    type.isEmpty()
                            ? response.withBody(body)
                            : response.withBody(body).with("Content-Type", type);
                case Made.Refused(var problem) -> ContentGuard.ofAnswer(problem).toResponse(exchange.requestId());
                case Made.Instead(var other) -> other;
            };
        }
    }
}
