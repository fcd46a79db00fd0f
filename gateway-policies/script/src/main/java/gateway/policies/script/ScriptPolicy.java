package gateway.policies.script;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.http.PartialAnswers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policies.script.run.ScriptBody;
import gateway.policies.script.run.ScriptBudget;
import gateway.policies.script.run.ScriptEnd;
import gateway.policies.script.run.ScriptEndedError;
import gateway.policies.script.run.ScriptFailedException;
import gateway.policies.script.run.ScriptLog;
import gateway.policies.script.run.ScriptMessage;
import gateway.policies.script.run.ScriptProgram;
import gateway.policies.script.run.ScriptStoppedError;
import gateway.policies.script.run.StopReason;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Services;
import gateway.policy.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;

/// Runs a script for the messages of a route.
record ScriptPolicy(MessageScript spec, ScriptProgram program, ScriptLog log, ScriptStops stops, InstantSource clock)
        implements Policy {
    private static final int NOT_MODIFIED = 304;
    private static final int FIRST_REFUSAL = 400;
    private static final Problem INVALID = Problem.of("invalid-content", 422, "Invalid content", "");
    private static final Problem UNSEEN = Problem.of(
            "unsupported-media-type", 415, "Unsupported media type", "The content is of a type that cannot be checked");
    private static final Problem COMPLEX = Problem.of("content-too-complex", 400, "Content too complex", "");

    static ScriptPolicy of(MessageScript spec, ScriptProgram program, PolicyPlace placement, Services services) {
        return new ScriptPolicy(
                spec,
                program,
                new ScriptLog(placement.counter(), services.clock()),
                ScriptStops.of(services.meters()),
                services.clock());
    }

    @Override
    public Verdict apply(Exchange exchange) {
        if (spec.on().areRequests()) {
            if (isHidden(exchange.outgoing().body())) return Verdict.stop(UNSEEN.toResponse(exchange.requestId()));
            var message = ScriptMessage.ofRequest(exchange, spec.body(), clock, log);
            Optional<Response> end = run(message, exchange);
            if (end.isPresent()) return ended(end.get());
        }
        if (!spec.on().areResponses()) return Verdict.proceed();
        if (spec.body() != ScriptBody.NONE)
            PartialAnswers.forgo(exchange.headers()); // a part is no message to a script
        return Verdict.proceed(new Back(exchange));
    }

    /// Whether a script that checks messages would see no body though there is one.
    private boolean isHidden(Body body) {
        if (!spec.checks() || spec.body() == ScriptBody.NONE || body.length().orElse(1) == 0) return false;
        return !(body instanceof HeldBody held) || !held.isPlain();
    }

    private static Verdict ended(Response response) {
        return response.reason().isEmpty() ? Verdict.answer(response) : Verdict.stop(response);
    }

    /// What takes the place of the message, or of the answer to it; empty: it goes on.
    private Optional<Response> run(ScriptMessage message, Exchange exchange) {
        try {
            program.run(message, ScriptBudget.begin(spec.bounds()));
            return Optional.empty();
        } catch (ScriptEndedError e) {
            return Optional.of(
                    switch (e.end()) {
                        case ScriptEnd.Stopped stopped -> response(stopped);
                        case ScriptEnd.Failed(String why) ->
                            refused(message, INVALID, why).toResponse(exchange.requestId());
                        case ScriptEnd.TooComplex(String expected) ->
                            refused(message, COMPLEX, "expected " + expected).toResponse(exchange.requestId());
                    });
        } catch (ScriptStoppedError e) {
            log.stopped(e.reason());
            return Optional.of(failed(e.reason(), "came to no end: " + e.reason(), exchange));
        } catch (ScriptFailedException e) {
            log.threw(e);
            return Optional.of(failed(StopReason.ERROR, "threw an error" + e.place(), exchange));
        }
    }

    private static Response response(ScriptEnd.Stopped stopped) {
        Response response = Response.of(stopped.status());
        if (!stopped.body().isEmpty() && response.mayHaveContent("")) {
            response = Response.of(
                    stopped.status(), stopped.contentType(), stopped.body().getBytes(StandardCharsets.UTF_8));
        }
        for (var field : stopped.fields().entrySet()) response.with(field.getKey(), field.getValue());
        return stopped.status() < FIRST_REFUSAL ? response : response.because("script-refused");
    }

    /// @param ofRequest what a request is told; an answer is refused alike, whatever it is
    private static Problem refused(ScriptMessage message, Problem ofRequest, String why) {
        return message.answer().isEmpty()
                ? Problem.of(ofRequest.type(), ofRequest.status(), ofRequest.title(), why)
                : Problem.of("response-refused", 502, "Bad gateway", "The upstream's answer is refused: " + why);
    }

    /// The client is told that it was the script, and not what in it: that stands in the log.
    private Response failed(StopReason reason, String how, Exchange exchange) {
        if (!exchange.isSupposed()) stops.count(reason);
        exchange.label("script", reason.toString());
        return Problem.of("policy-failed", 500, "Policy failed", "The script of a policy " + how)
                .toResponse(exchange.requestId());
    }

    private final class Back implements Followup {
        private final Exchange exchange;

        Back(Exchange exchange) {
            this.exchange = exchange;
        }

        private Response hidden() {
            return Problem.of(
                            "response-refused",
                            502,
                            "Bad gateway",
                            "The upstream's answer is refused: " + UNSEEN.detail())
                    .toResponse(exchange.requestId());
        }

        @Override
        public Response onResponse(Response response) {
            if (!response.reason().isEmpty()) return response;
            boolean isSeen = spec.body() != ScriptBody.NONE && response.mayHaveContent(exchange.method());
            if (PartialAnswers.include(response)) return isSeen ? hidden() : response;
            if (isSeen && isHidden(response.body())) return hidden();
            var message = ScriptMessage.ofAnswer(exchange, response, spec.body(), clock, log);
            return run(message, exchange).orElseGet(() -> {
                Response after = message.answer().orElse(response);
                boolean isOther = spec.body() != ScriptBody.NONE || message.isReplaced();
                return isOther && standsForContent(after) ? after.ofUnknownContent() : after;
            });
        }

        /// Whether it says of content what it does not carry; what the script has made of none is not sent.
        private boolean standsForContent(Response answer) {
            return exchange.method().equals("HEAD") || answer.status() == NOT_MODIFIED;
        }
    }
}
