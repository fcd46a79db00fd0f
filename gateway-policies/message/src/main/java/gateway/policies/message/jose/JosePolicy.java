package gateway.policies.message.jose;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.PartialAnswers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.Json;
import gateway.policies.message.ChangedAnswers;
import gateway.policies.message.ContentGuard;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonPointer;

/// Does what its steps say to each request and each answer.
///
/// @param place names what is told of it
/// @param done the fact that a request is done with: policies of the stage UPSTREAM are asked again where one of them
///     has it sent once more
/// @param fields of `response` the steps that answers without content have as well
record JosePolicy(String api, String place, String done, JoseSteps request, JoseSteps response, JoseSteps fields)
        implements Policy {
    private static final Logger LOG = LoggerFactory.getLogger(Jose.class);
    private static final int LEAST_FINAL = 200;
    private static final int NOT_MODIFIED = 304;
    private static final Problem REFUSED = Problem.of(
            "unauthenticated",
            401,
            "Authentication required",
            "The message is not signed or encrypted as it has to be");

    @Override
    public Verdict apply(Exchange exchange) {
        if (exchange.opensWebSocket() && (request.inBody() || response.inBody())) {
            return Verdict.stop(refusal(ContentGuard.endless(), exchange)); // nobody sees what is said on it
        }
        if (!request.isEmpty()
                && exchange.fact(JsonPointer.empty().appendProperty(done)).isEmpty()) {
            Optional<Problem> problem = ofRequest(exchange);
            if (problem.isPresent()) return Verdict.stop(refusal(problem.get(), exchange));
            exchange.found(done, Json.mapper().getNodeFactory().booleanNode(true));
        }
        if (response.isEmpty()) return Verdict.proceed();
        if (response.changesBody()) ChangedAnswers.ask(exchange);
        else PartialAnswers.forgo(exchange.headers()); // a part of an answer is neither signed nor verified
        return Verdict.proceed(new Back(exchange));
    }

    private Response refusal(Problem problem, Exchange exchange) {
        Response refusal = problem.toResponse(exchange.requestId());
        return problem.status() == 401 ? refusal.with("WWW-Authenticate", "JOSE realm=\"" + api + '"') : refusal;
    }

    private Optional<Problem> ofRequest(Exchange exchange) {
        Body body = exchange.outgoing().body();
        Optional<HeldBody> held = request.held(body);
        if (held.isEmpty()) return Optional.of(ContentGuard.endless());
        JoseMessage message = JoseMessage.ofRequest(exchange.outgoing(), held.get());
        Optional<Problem> problem = worked(request, message, exchange);
        if (problem.isPresent()) return problem;
        Optional<Body> changed = message.changed();
        if (changed.isEmpty()) return Optional.empty();
        exchange.outgoing().replaceBody(changed.get());
        message.type().ifPresent(type -> exchange.headers().set("Content-Type", type));
        return Optional.empty();
    }

    private Response ofAnswer(Response answer, Exchange exchange) {
        Optional<HeldBody> held = response.held(answer.body());
        if (PartialAnswers.include(answer)) return refused(ContentGuard.part(), exchange);
        if (held.isEmpty()) return refused(ContentGuard.endless(), exchange);
        JoseMessage message = JoseMessage.ofAnswer(answer.headers(), held.get());
        Optional<Problem> problem = worked(response, message, exchange);
        if (problem.isPresent()) return refused(problem.get(), exchange);
        Optional<Body> changed = message.changed();
        if (changed.isEmpty()) return answer;
        Response after = answer.withBody(changed.get());
        return message.type().map(type -> after.with("Content-Type", type)).orElse(after);
    }

    /// Without content its fields are signed and opened all the same. Not all of them stand in 304.
    private Response ofBareAnswer(Response answer, Exchange exchange) {
        Headers shown = answer.headers();
        boolean isWhole = answer.status() >= LEAST_FINAL && answer.status() != NOT_MODIFIED;
        JoseMessage message = JoseMessage.ofAnswer(shown, Body.of(new byte[0]));
        Optional<Problem> problem = worked(isWhole ? fields : fields.of(shown), message, exchange);
        if (problem.isPresent()) return refused(problem.get(), exchange);
        return response.changesBody() ? ChangedAnswers.told(answer, exchange) : answer;
    }

    private static Response refused(Problem problem, Exchange exchange) {
        return ContentGuard.ofAnswer(problem).toResponse(exchange.requestId());
    }

    private Optional<Problem> worked(JoseSteps steps, JoseMessage message, Exchange exchange) {
        try {
            steps.apply(message, exchange);
            return Optional.empty();
        } catch (BadJoseException e) {
            LOG.debug("{}: a message is refused: {}", place, e.getMessage());
            return Optional.of(REFUSED);
        } catch (UnfitContentException e) {
            return Optional.of(
                    Problem.of("malformed-content", 400, "Malformed content", String.valueOf(e.getMessage())));
        }
    }

    private final class Back implements Followup {
        private final Exchange exchange;

        Back(Exchange exchange) {
            this.exchange = exchange;
        }

        /// What the gateway itself refuses is told as it is.
        @Override
        public Response onResponse(Response answer) {
            if (!answer.reason().isEmpty()) return answer;
            return answer.mayHaveContent(exchange.method())
                    ? ofAnswer(answer, exchange)
                    : ofBareAnswer(answer, exchange);
        }
    }

    @Override
    public String toString() {
        return "jose" + request.names() + response.names();
    }
}
