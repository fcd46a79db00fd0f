package gateway.app.steering;

import gateway.http.FailureReason;
import gateway.http.Outgoing;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.http.UpstreamException.Kind;
import gateway.wire.client.AnswerStatus;
import gateway.wire.client.ClientSide;
import gateway.wire.client.StreamedBody;
import gateway.wire.client.Target;
import gateway.wire.client.Terms;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One request on its way to a steered upstream: past its bulkhead and breaker to a target, and to another one when
/// that fails and may be tried again. Runs on the request thread.
final class SteeredCall {
    private static final int[] NOWHERE = {};

    private final SteeredUpstream upstream;
    private final Outgoing outgoing;
    private final ClientSide client;
    private final long startedAt = System.nanoTime();
    private final @Nullable CircuitBreaker breaker;
    private final @Nullable Retrying retrying;
    private final long hash;
    private int[] tried = NOWHERE;
    private int count;
    private long ticket = CircuitBreaker.SHUT; // no other one is held
    private int place;
    private @Nullable Attempt attempt;

    SteeredCall(SteeredUpstream upstream, Outgoing outgoing, ClientSide client, long hash) {
        this.upstream = upstream;
        this.outgoing = outgoing;
        this.client = client;
        this.breaker = upstream.breaker();
        this.retrying = upstream.retrying();
        this.hash = hash;
    }

    Response send() {
        Bulkhead bulkhead = upstream.bulkhead();
        if (bulkhead == null) return attempts();
        enter(bulkhead);
        boolean answered = false;
        try {
            Response response = attempts();
            answered = true;
            return response;
        } finally {
            if (answered && attempt != null) attempt.keep(bulkhead);
            else bulkhead.leave();
        }
    }

    /// Past the bulkhead, maybe after a wait: who leaves meanwhile makes room for others.
    private void enter(Bulkhead bulkhead) {
        if (bulkhead.enter()) return;
        Waiter waiter = bulkhead.join(client.ioThread().io());
        if (waiter != null) watch(waiter);
        Waiter.Outcome outcome = waiter == null ? Waiter.Outcome.LATE : waiter.await();
        if (outcome == Waiter.Outcome.LEFT) throw new UpstreamException(Kind.CLIENT_GONE, "the client went away");
        if (outcome == Waiter.Outcome.LATE)
            throw unavailable(FailureReason.BUSY, "too many requests are with the upstream already");
    }

    private void watch(Waiter waiter) {
        client.onIoThread(() -> {
            client.awaitingAnswer(); // so that the client's departure is noticed
            client.waiting(waiter::leave);
        });
    }

    private Response attempts() {
        Candidates placement = upstream.placement();
        if (retrying != null) {
            retrying.budget().request();
            retrying.hold(outgoing);
        }
        if (!enter()) throw unavailable(FailureReason.BREAKER_OPEN, "the circuit breaker is open");
        try {
            return attempts(placement);
        } finally {
            withdraw(); // whatever was thrown: a probe not handed back would keep the breaker half-open for ever
        }
    }

    private Response attempts(Candidates placement) {
        if (!choose(placement.group())) throw unavailable(FailureReason.UNHEALTHY, "no target is healthy");
        while (true) {
            Attempt current = attempt(placement);
            attempt = current;
            try {
                Response response = current.await();
                int status = AnswerStatus.of(response, client);
                noteAnswer(placement.group(), current, response, status);
                if (!again(placement.group(), current, status)) return response;
                client.onIoThread(current::cancel);
            } catch (UpstreamException e) {
                noteFailure(placement.group(), current, e);
                if (!again(placement.group(), current, e)) throw e;
            }
            client.responseFields().clear();
            pause();
        }
    }

    private Attempt attempt(Candidates placement) {
        Terms terms = upstream.terms();
        if (retrying != null) {
            long left = terms.timeouts().total() - (System.nanoTime() - startedAt);
            terms = terms.with(terms.timeouts().attempt(retrying.headWithin(), left));
        }
        Target target = placement.targets().get(place);
        return new Attempt(
                terms, target, placement.group().endpoints().get(place).state(), outgoing, client);
    }

    /// Past the breaker.
    private boolean enter() {
        if (breaker == null) return true;
        ticket = breaker.enter();
        return ticket != CircuitBreaker.SHUT;
    }

    /// A target; false when none is usable.
    private boolean choose(Group group) {
        place = group.choose(hash, tried, count);
        return place != Group.NONE;
    }

    /// Hands the ticket back when it still is held.
    private void withdraw() {
        if (breaker == null || ticket == CircuitBreaker.SHUT) return;
        breaker.withdrawn(ticket);
        ticket = CircuitBreaker.SHUT;
    }

    /// A body that streams is judged with the target when it ends, since it may break off.
    private void noteAnswer(Group group, Attempt current, Response response, int status) {
        if (status < 500 && upstream.judges() && response.body() instanceof StreamedBody body) {
            noteHead(current, new BodyOutcome(body, status, group, place, breaker, ticket));
            return;
        }
        if (breaker != null) handBack(breaker, status >= 500, current);
        group.ended(place, true, status);
    }

    /// The ticket is `judge`'s from now on.
    private void noteHead(Attempt current, BodyOutcome judge) {
        if (breaker != null) breaker.began(ticket, current.tookNanos());
        ticket = CircuitBreaker.SHUT;
        current.judgeWith(judge);
    }

    private void handBack(CircuitBreaker to, boolean failed, Attempt current) {
        to.ended(ticket, failed, current.tookNanos());
        ticket = CircuitBreaker.SHUT;
    }

    private void noteFailure(Group group, Attempt current, UpstreamException e) {
        if (!e.kind().blamesUpstream()) {
            withdraw();
            return;
        }
        group.ended(place, false, 0);
        if (breaker != null) handBack(breaker, true, current);
    }

    private boolean again(Group group, Attempt last, int status) {
        return retrying != null && retrying.wants(status) && next(group, last, retrying);
    }

    private boolean again(Group group, Attempt last, UpstreamException why) {
        return retrying != null && retrying.wants(why.kind()) && next(group, last, retrying);
    }

    /// Whether there is another attempt; its target is then chosen and its ticket taken.
    private boolean next(Group group, Attempt last, Retrying how) {
        if (count + 1 >= how.how().attempts() || !how.mayFollow(last.call(), outgoing)) return false;
        if (System.nanoTime() - startedAt >= upstream.terms().timeouts().total()) return false;
        if (tried.length == 0) tried = new int[how.how().attempts()];
        tried[count++] = place;
        return enter() && choose(group) && how.budget().spend();
    }

    private void pause() {
        if (retrying == null) return;
        long left = upstream.terms().timeouts().total() - (System.nanoTime() - startedAt);
        long until = System.nanoTime() + Math.min(left, retrying.pause(count));
        while (until - System.nanoTime() > 0) LockSupport.parkNanos(this, until - System.nanoTime());
    }

    private static UpstreamException unavailable(FailureReason reason, String why) {
        return new UpstreamException(reason, why);
    }
}
