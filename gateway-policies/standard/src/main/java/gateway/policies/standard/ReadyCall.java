package gateway.policies.standard;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Span;
import gateway.policy.PolicyPlace;
import gateway.policy.Services;
import gateway.policy.Template;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.Unpacking;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A service that can be called: its way and its secrets are at hand.
///
/// @param places calls at once
/// @param share of workers, for its answers
/// @param remembered null: nothing is
/// @param onlyKey of all requests, where nothing of them counts; empty text: each has its own
record ReadyCall(
        CalledService service,
        List<WritableHeader<Template>> headers,
        ServerCalls server,
        Services services,
        Semaphore places,
        String share,
        @Nullable RememberedAnswers remembered,
        String onlyKey) {
    /// What one request makes of it.
    sealed interface Prepared {
        /// Nobody has to be asked.
        record Known(ServiceAnswer answer) implements Prepared {}

        /// @param key by which its answer is remembered; empty text: it is not
        record Question(CallRequest request, String key) implements Prepared {}
    }

    static ReadyCall of(CalledService service, int concurrency, PolicyPlace place, Services services) {
        ServerCalls server = services.calls().to(service.target(), service.pointer());
        List<WritableHeader<Template>> headers = service.headers().stream()
                .map(each -> HeaderValue.ready(each, services))
                .toList();
        String where = place.counter() + service.pointer();
        var id = new RememberedAnswers.Id(where, service.definition());
        RememberedAnswers remembered = service.memory()
                .map(memory -> services.shared(
                        id,
                        RememberedAnswers.class,
                        () -> new RememberedAnswers(
                                memory, status -> service.denies(status) || service.loops(status), services.clock())))
                .orElse(null);
        boolean isOne = service.memory().filter(each -> each.key().isEmpty()).isPresent();
        String onlyKey = isOne ? digest("") : "";
        return new ReadyCall(
                service, headers, server, services, new Semaphore(concurrency), place.api(), remembered, onlyKey);
    }

    /// Empty when values of the request would lead elsewhere.
    ///
    /// @param fields of the message that may be forwarded
    /// @param hops that calls of gateways have come already
    Optional<Prepared> prepared(Exchange exchange, Headers fields, Body message, int hops) {
        String key = key(exchange);
        ServiceAnswer known = remembered == null ? null : remembered.fresh(key);
        if (known != null) return Optional.of(new Prepared.Known(known));
        Optional<String> path = service.url().of(exchange);
        if (path.isEmpty()) return Optional.empty();
        CallRequest request = service.body().request(service.method(), path.get(), exchange, fields, message);
        for (int i = 0; i < headers.size(); i++) {
            var header = headers.get(i);
            String value = header.value().render(exchange);
            if (!value.isEmpty()) request.with(header.name(), value);
        }
        request.with(CallRound.HOPS, Integer.toString(hops + 1));
        return Optional.of(new Prepared.Question(request, key));
    }

    private String key(Exchange exchange) {
        if (service.memory().isEmpty() || !onlyKey.isEmpty()) return onlyKey;
        var key = new StringBuilder();
        for (Template each : service.memory().get().key()) {
            String value = each.render(exchange);
            key.append(value.length()).append(':').append(value); // so that no two values run into each other
        }
        return digest(key.toString());
    }

    /// What remembers answers holds nothing that callers have said.
    private static String digest(String key) {
        return ShortTermName.of(ShortTermUse.REPLAY, "key", key).digest();
    }

    /// @param deadline of [System#nanoTime]
    /// @param within what is under way; null: nothing is recorded
    /// @throws DependencyException when there is no answer, or none that can be used
    ServiceAnswer answer(Prepared call, long deadline, @Nullable Span within) {
        return switch (call) {
            case Prepared.Known(ServiceAnswer known) -> known;
            case Prepared.Question(CallRequest request, String key) -> asked(request, key, deadline, within);
        };
    }

    private ServiceAnswer asked(CallRequest request, String key, long deadline, @Nullable Span within) {
        if (remembered == null) return asked(request, deadline, within);
        long patience = Math.max(1, deadline - System.nanoTime());
        return remembered.of(service.target().name(), key, patience, () -> asked(request, deadline, within));
    }

    private ServiceAnswer asked(CallRequest request, long deadline, @Nullable Span within) {
        String name = service.target().name();
        long left = deadline - System.nanoTime();
        try {
            if (left <= 0 || !places.tryAcquire(left, TimeUnit.NANOSECONDS)) throw busy(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy(name);
        }
        try {
            long rest = deadline - System.nanoTime();
            if (rest <= 0) throw busy(name);
            var bounds = new CallBounds(Duration.ofNanos(rest), service.mostBytes());
            return read(server.send(request, bounds, within), deadline);
        } finally {
            places.release();
        }
    }

    private ServiceAnswer read(CallAnswer answer, long deadline) {
        String name = service.target().name();
        int status = answer.status();
        if (service.loops(status)) return ServiceAnswer.unread(status);
        boolean accepted = service.accepts(status);
        if (!accepted && !service.denies(status))
            throw ServiceAnswer.unusable(name, "its answer has the status " + status, null);
        boolean reads = service.readsJson() && (accepted || tells(answer));
        boolean isEmpty = answer.bytes().length == 0;
        if (accepted && reads && isEmpty && promisesContent(status))
            throw ServiceAnswer.unusable(name, "its answer is empty", null);
        if (!reads || isEmpty) return ServiceAnswer.unread(status);
        var left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
        var unpacking = new Unpacking(services.contentCodings(), services.workers(), left);
        return ServiceAnswer.read(name, answer, unpacking, share, service.mostBytes());
    }

    private boolean promisesContent(int status) {
        return status != 204 && status != 205 && !service.method().equals("HEAD");
    }

    /// Whether a refusal has JSON from which something is told.
    private static boolean tells(CallAnswer answer) {
        return answer.headers()
                .first("Content-Type")
                .filter(type -> type.contains("json"))
                .isPresent();
    }

    private static DependencyException busy(String server) {
        return new DependencyException(server, "busy", "too many calls wait for it", null);
    }
}
