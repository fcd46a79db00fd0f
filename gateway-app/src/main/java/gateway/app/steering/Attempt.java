package gateway.app.steering;

import gateway.http.Outgoing;
import gateway.http.Response;
import gateway.wire.client.ClientSide;
import gateway.wire.client.Target;
import gateway.wire.client.Terms;
import gateway.wire.client.UpstreamCall;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One call among the attempts of a request: in flight at its target until its connection is let go of.
final class Attempt implements Runnable {
    private final TargetState state;
    private final UpstreamCall call;
    private final long startedAt = System.nanoTime();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<@Nullable Bulkhead> place = new AtomicReference<>();
    private final AtomicReference<@Nullable BodyOutcome> bodyOutcome = new AtomicReference<>();

    Attempt(Terms terms, Target target, TargetState state, Outgoing outgoing, ClientSide client) {
        this.state = state;
        this.call = target.call(terms, outgoing, client, this);
    }

    Response await() {
        call.checkLength();
        state.begin();
        return call.await();
    }

    long tookNanos() {
        return System.nanoTime() - startedAt;
    }

    UpstreamCall call() {
        return call;
    }

    void cancel() {
        call.cancel();
    }

    /// Leaves the bulkhead when the call is over, which it may be already.
    void keep(Bulkhead bulkhead) {
        place.set(bulkhead);
        if (over.get()) leave();
    }

    /// Has the answer judged when the call is over, which it may be already.
    void judgeWith(BodyOutcome judge) {
        bodyOutcome.set(judge);
        if (over.get()) judge();
    }

    /// The call is over; told on the IO thread.
    @Override
    public void run() {
        state.end();
        over.set(true);
        leave();
        judge();
    }

    private void judge() {
        BodyOutcome judge = bodyOutcome.getAndSet(null);
        if (judge != null) judge.tell();
    }

    private void leave() {
        Bulkhead bulkhead = place.getAndSet(null);
        if (bulkhead != null) bulkhead.leave();
    }
}
