package gateway.pipeline;

import gateway.http.Body;
import gateway.http.BodyRefusedException;
import gateway.http.BodyTooLargeException;
import gateway.http.ContentCodings;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.http.UpstreamWaiter;
import gateway.policy.BodyAccess;
import gateway.policy.BodyAccess.Held;
import gateway.policy.BodyUse;
import gateway.policy.Services;
import gateway.service.Unpacking;
import gateway.service.WorkersBusyException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The bodies that one step wants whole: gathers them before the policy is called, in memory of the request's.
final class HeldBodies {
    /// Of those of whom nobody knows yet who they are.
    private static final long UNKNOWN = 64 * 1024;

    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final @Nullable Held request;
    private final @Nullable Held response;
    private final ContentCodings codings;
    private final Unpacking unpacking;

    private HeldBodies(@Nullable Held request, @Nullable Held response, Services services) {
        this.request = request;
        this.response = response;
        this.codings = services.contentCodings();
        this.unpacking = new Unpacking(codings, services.workers(), FOR_EVER);
    }

    /// Null for a step that lets all bodies stream past, which most do: nothing is called for them.
    ///
    /// @param unknown whether the step comes before the API's authentication
    static @Nullable HeldBodies of(BodyUse use, boolean unknown, Services services) {
        Held request = held(use.request());
        Held response = held(use.response());
        if (request == null && response == null) return null;
        if (request != null && unknown)
            request = new Held(Math.min(request.most(), UNKNOWN), request.plain(), request.only());
        return new HeldBodies(request, response, services);
    }

    private static @Nullable Held held(BodyAccess access) {
        return switch (access) {
            case BodyAccess.None _, BodyAccess.Watched _, BodyAccess.Streamed _ -> null; // see [PassingBodies]
            case Held held -> held;
        };
    }

    boolean ofResponses() {
        return response != null;
    }

    /// Blocks until what the step wants of the request is here.
    ///
    /// @throws BodyTooLargeException when it is larger than the step takes
    /// @throws BodyRefusedException when it cannot be made plain
    /// @throws WorkersBusyException when no worker has unpacked it in time
    /// @throws UpstreamException when there is no memory for it, or it does not come
    void gather(Exchange exchange, UpstreamWaiter waiter) {
        if (request == null || endless(exchange.headers()) || exchange.opensWebSocket()) return;
        Headers fields = exchange.headers();
        Body body = exchange.outgoing().body();
        if (!request.only().wants(fields, body.length())) return;
        byte[] bytes = body.bytes(request.most());
        HeldBody whole = exchange.held().orElseGet(() -> Body.of(bytes));
        if (request.plain()) whole = undone(whole, exchange, fields, request.most(), waiter);
        exchange.outgoing().hold(whole);
    }

    /// The policy is to see the answer: its server may pack it only in ways that can be undone here.
    void expect(Exchange exchange) {
        if (response == null || !response.plain()) return;
        Headers fields = exchange.headers();
        fields.set("Accept-Encoding", codings.understood(fields.all("Accept-Encoding")));
    }

    /// Blocks until what the step wants of the answer is here.
    ///
    /// @throws BodyTooLargeException when it is larger than the step takes
    /// @throws BodyRefusedException when it cannot be made plain
    /// @throws WorkersBusyException when no worker has unpacked it in time
    /// @throws UpstreamException when there is no memory for it, or it does not come
    Response gather(Exchange exchange, Response answer, UpstreamWaiter waiter) {
        if (response == null || !wants(response, exchange, answer)) return answer;
        HeldBody whole = whole(response, answer);
        if (response.plain()) whole = undone(whole, exchange, answer.headers(), response.most(), waiter);
        return answer.holding(whole);
    }

    /// The same as it came, which goes on where it cannot be made plain.
    ///
    /// @throws BodyTooLargeException when it is larger than the step takes; it streams on then
    /// @throws UpstreamException when there is no memory for it, or it does not come
    Response hold(Exchange exchange, Response answer) {
        return response == null || !wants(response, exchange, answer)
                ? answer
                : answer.holding(whole(response, answer));
    }

    private static boolean wants(Held response, Exchange exchange, Response answer) {
        return answer.mayHaveContent(exchange.method())
                && !endless(answer.headers())
                && response.only().wants(answer.headers(), answer.body().length());
    }

    private static HeldBody whole(Held response, Response answer) {
        byte[] bytes = answer.body().bytes(response.most());
        return answer.held().orElseGet(() -> Body.of(bytes));
    }

    private HeldBody undone(HeldBody whole, Exchange exchange, Headers fields, long most, UpstreamWaiter waiter) {
        List<String> applied = fields.all("Content-Encoding");
        if (applied.isEmpty() || whole.isPlainIn(waiter)) return whole.undone(codings, fields, most, waiter);
        return unpacking.undone(
                exchange.api(), applied, whole.content(), most, bytes -> whole.undone(codings, fields, bytes, waiter));
    }

    private static boolean endless(Headers fields) {
        Optional<String> type = fields.first("Content-Type");
        if (type.isEmpty()) return false;
        String name = type.get().strip().toLowerCase(Locale.ROOT);
        return name.startsWith("text/event-stream")
                || name.startsWith("application/grpc")
                || name.startsWith("multipart/x-mixed-replace");
    }
}
