package gateway.policies.standard;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Span;
import gateway.policies.standard.ReadyCall.Prepared;
import gateway.service.DependencyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Calls of one policy, all at once and within one time.
record CallRound(List<ReadyCall> calls, Duration timeout) {
    /// How many gateways' calls a request has come through.
    static final String HOPS = "Gateway-Hops";

    private static final int MOST_HOPS = 5;
    private static final int LOOP_DETECTED = 508;
    private static final int OK = 200;

    CallRound {
        calls = List.copyOf(calls);
    }

    /// Asks, and puts what is answered where it belongs.
    ///
    /// @param fields of the message that it is about
    /// @param body of it
    /// @return why the message is not to go on
    /// @throws DependencyException when one does not answer
    Optional<Problem> run(Exchange exchange, Headers fields, Body body) {
        int hops = hops(exchange);
        if (hops >= MOST_HOPS) return Optional.of(looping());
        boolean held = body.length().orElse(1) == 0 || (body instanceof HeldBody whole && whole.isPlain());
        if (!held && calls.stream().anyMatch(each -> each.service().forwards())) return Optional.of(endless());
        var prepared = new ArrayList<Prepared>(calls.size());
        for (ReadyCall each : calls) {
            Optional<Prepared> call = each.prepared(exchange, fields, body, hops);
            if (call.isEmpty()) return Optional.of(badPath());
            prepared.add(call.get());
        }
        for (ReadyCall each : calls) each.service().take().forEach(value -> value.clear(exchange, fields));
        return applied(answers(prepared, exchange.span()), exchange, fields);
    }

    /// The last one is asked by this thread, the others by threads of their own.
    private List<ServiceAnswer> answers(List<Prepared> prepared, @Nullable Span span) {
        long deadline = System.nanoTime() + timeout.toNanos();
        var answers = new ArrayList<ServiceAnswer>(calls.size());
        int last = calls.size() - 1;
        var underWay = new ArrayList<CompletableFuture<ServiceAnswer>>(last);
        for (int i = 0; i < last; i++) underWay.add(begun(calls.get(i), prepared.get(i), deadline, span));
        ServiceAnswer own = orUsual(calls.get(last), call -> call.answer(prepared.get(last), deadline, span));
        for (int i = 0; i < last; i++) {
            var begun = underWay.get(i);
            answers.add(orUsual(calls.get(i), call -> awaited(call, begun, deadline)));
        }
        answers.add(own);
        return answers;
    }

    private static ServiceAnswer orUsual(ReadyCall call, Function<ReadyCall, ServiceAnswer> question) {
        try {
            return question.apply(call);
        } catch (DependencyException e) {
            JsonNode usual = call.service().usual().orElseThrow(() -> e);
            return new ServiceAnswer(OK, usual, 0);
        }
    }

    private static CompletableFuture<ServiceAnswer> begun(
            ReadyCall call, Prepared prepared, long deadline, @Nullable Span span) {
        if (prepared instanceof Prepared.Known(ServiceAnswer known)) return CompletableFuture.completedFuture(known);
        var answer = new CompletableFuture<ServiceAnswer>();
        Span own = span == null ? null : span.begin(Span.Kind.INTERNAL, "api-call"); // a thread, a span
        Thread.ofVirtual().name("api-call").start(() -> {
            try {
                answer.complete(call.answer(prepared, deadline, own));
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            } finally {
                if (own != null) own.end();
            }
        });
        return answer;
    }

    private static ServiceAnswer awaited(ReadyCall call, CompletableFuture<ServiceAnswer> answer, long deadline) {
        String server = call.service().target().name();
        try {
            return answer.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DependencyException(server, "timeout", "interrupted while it was asked", e);
        } catch (TimeoutException e) {
            throw new DependencyException(server, "timeout", "no answer in time", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failed ? failed : new IllegalStateException(e.getCause());
        }
    }

    /// Nothing is put anywhere unless all let the message pass.
    private Optional<Problem> applied(List<ServiceAnswer> answers, Exchange exchange, Headers fields) {
        for (int i = 0; i < calls.size(); i++) {
            ServiceAnswer answer = answers.get(i);
            if (calls.get(i).service().loops(answer.status())) return Optional.of(looping());
            Optional<Problem> refusal = calls.get(i).service().verdict().flatMap(each -> each.refusal(answer));
            if (refusal.isPresent()) return refusal;
        }
        for (int i = 0; i < calls.size(); i++) {
            CalledService service = calls.get(i).service();
            ServiceAnswer answer = answers.get(i);
            if (!service.fact().isEmpty()) exchange.found(service.fact(), answer.json());
            service.take().forEach(value -> value.put(answer.json(), exchange, fields));
        }
        return Optional.empty();
    }

    private static int hops(Exchange exchange) {
        Optional<String> said = exchange.headers().first(HOPS);
        if (said.isEmpty()) return 0;
        return said.get().matches("[0-9]") ? said.get().charAt(0) - '0' : MOST_HOPS;
    }

    private static Problem looping() {
        return Problem.of(
                "loop-detected", LOOP_DETECTED, "Loop detected", "Calls of gateways lead to each other without end");
    }

    private static Problem endless() {
        return Problem.of(
                "unsupported-media-type",
                415,
                "Unsupported media type",
                "The content is of a type that cannot be forwarded whole");
    }

    private static Problem badPath() {
        return Problem.of("bad-path", 400, "Bad request", "A value of the request makes no path");
    }
}
