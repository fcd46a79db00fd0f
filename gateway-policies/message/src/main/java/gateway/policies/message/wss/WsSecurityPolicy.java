package gateway.policies.message.wss;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.PartialAnswers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.Json;
import gateway.policies.message.ChangedAnswers;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.xml.Soap;
import gateway.policies.message.xml.XmlContent;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonPointer;

/// Does what its steps say to each request and each answer.
///
/// @param place names what is told of it
/// @param done the fact that a request is done with: policies of the stage UPSTREAM are asked again where one of them
///     has it sent once more
/// @param faults whether requests of SOAP are refused by faults
record WsSecurityPolicy(
        String api, String place, String done, SecuritySteps request, SecuritySteps response, boolean faults)
        implements Policy {
    private static final Logger LOG = LoggerFactory.getLogger(WsSecurityPolicy.class);
    private static final Pattern CHARSET = Pattern.compile(";\\s*charset\\s*=[^;]*", Pattern.CASE_INSENSITIVE);
    private static final String REASON = "unauthenticated";

    @Override
    public Verdict apply(Exchange exchange) {
        if (exchange.opensWebSocket()) { // nobody sees what is said on it
            return Verdict.stop(ContentGuard.endless().toResponse(exchange.requestId()));
        }
        if (!request.isEmpty()
                && exchange.fact(JsonPointer.empty().appendProperty(done)).isEmpty()) {
            Optional<Response> refusal = ofRequest(exchange);
            if (refusal.isPresent()) return Verdict.stop(refusal.get());
            exchange.found(done, Json.mapper().getNodeFactory().booleanNode(true));
        }
        if (response.isEmpty()) return Verdict.proceed();
        ChangedAnswers.ask(exchange);
        return Verdict.proceed(new Back(exchange));
    }

    private Optional<Response> ofRequest(Exchange exchange) {
        Headers fields = exchange.headers();
        return switch (request.done(exchange.outgoing().body(), fields, exchange)) {
            case SecuritySteps.Outcome.Same() -> Optional.empty();
            case SecuritySteps.Outcome.Changed(var body) -> {
                exchange.outgoing().replaceBody(body);
                fields.first("Content-Type").ifPresent(type -> fields.set("Content-Type", inUtf8(type)));
                yield Optional.empty();
            }
            case SecuritySteps.Outcome.Unreadable(var problem) -> Optional.of(problem.toResponse(exchange.requestId()));
            case SecuritySteps.Outcome.Refused(var flaw) -> Optional.of(refusal(flaw, fields, exchange));
        };
    }

    private Response refusal(SecurityFlaw flaw, Headers fields, Exchange exchange) {
        LOG.debug("{}: a request is refused: {}", place, flaw);
        if (!faults || !request.types().include(fields)) { // a fault is for who speaks SOAP
            return unauthenticated(flaw)
                    .toResponse(exchange.requestId())
                    .with("WWW-Authenticate", "WSSE realm=\"" + api + '"');
        }
        boolean newer =
                fields.first("Content-Type").orElse("").toLowerCase(Locale.ROOT).startsWith("application/soap+xml");
        return SecurityFault.of(newer ? Soap.SOAP12 : Soap.SOAP11, flaw, REASON);
    }

    private static Problem unauthenticated(SecurityFlaw flaw) {
        return Problem.of(REASON, 401, "Authentication required", flaw.told());
    }

    private Response ofAnswer(Response answer, Exchange exchange) {
        boolean bare = answer.body().length().orElse(1) == 0;
        if (bare && response.onlyAdd()) return answer; // as to a message that has no answer (SOAP 1.2 Part 2 §7.5.1.2)
        if (PartialAnswers.include(answer)) return refused(ContentGuard.part(), exchange);
        return switch (response.done(answer.body(), answer.headers(), exchange)) {
            case SecuritySteps.Outcome.Same() -> answer;
            case SecuritySteps.Outcome.Changed(var body) -> {
                Response after = answer.withBody(body);
                yield after.headers()
                        .first("Content-Type")
                        .map(type -> after.with("Content-Type", inUtf8(type)))
                        .orElse(after);
            }
            case SecuritySteps.Outcome.Unreadable(var problem) -> refused(problem, exchange);
            case SecuritySteps.Outcome.Refused(var flaw) -> {
                LOG.debug("{}: an answer is refused: {}", place, flaw);
                yield refused(unauthenticated(flaw), exchange);
            }
        };
    }

    private static Response refused(Problem problem, Exchange exchange) {
        return ContentGuard.ofAnswer(problem).toResponse(exchange.requestId());
    }

    /// What was written anew is UTF-8, whatever it was.
    private static String inUtf8(String type) {
        return XmlContent.charsetOf(type).isPresent() ? CHARSET.matcher(type).replaceAll("; charset=utf-8") : type;
    }

    private final class Back implements Followup {
        private final Exchange exchange;

        Back(Exchange exchange) {
            this.exchange = exchange;
        }

        /// What the gateway itself refuses is told as it is.
        @Override
        public Response onResponse(Response answer) {
            return ContentGuard.passesOver(answer, exchange)
                    ? ChangedAnswers.told(answer, exchange)
                    : ofAnswer(answer, exchange);
        }
    }

    @Override
    public String toString() {
        return "ws-security" + request.names() + response.names();
    }
}
