package gateway.app.steering;

import gateway.config.MirrorDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.BodyTooLargeException;
import gateway.http.HeldBody;
import gateway.http.Outgoing;
import gateway.wire.client.AbsentClient;
import gateway.wire.client.ClientSide;
import gateway.wire.client.Resolver;
import gateway.wire.client.Target;
import gateway.wire.client.Terms;
import gateway.wire.client.UpstreamCall;
import gateway.wire.io.OffRequestThreads;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Sends copies of requests to a second upstream and throws the answers away. The request itself waits for nothing of
/// it: a copy is made and handed to a thread of its own, or dropped when too many are under way.
public final class Mirror {
    private static final long MOST_READ = 1 << 20; // of an answer; more costs its connection

    private final MirrorDefinition definition;
    private final UpstreamDefinition upstream;
    private final List<Target> targets;
    private final Rotation rotation;
    private final Terms terms;
    private final Dice dice;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder skipped = new LongAdder();

    /// @param upstream the mirror's targets, called as those of the upstream that is mirrored
    Mirror(MirrorDefinition definition, UpstreamDefinition upstream, Rotation rotation, Resolver resolver, Dice dice) {
        this.definition = definition;
        this.upstream = upstream;
        this.targets = UpstreamTerms.targets(upstream);
        this.rotation = rotation;
        this.terms = UpstreamTerms.of(upstream, resolver);
        this.dice = dice;
    }

    /// Sends a copy of what has not been sent yet; on its request thread.
    void offer(Outgoing outgoing, ClientSide client) {
        if (definition.percent() < 100 && dice.below(100) >= definition.percent()) return;
        if (!isPossible(outgoing, client)) {
            skipped.increment();
            return;
        }
        if (inFlight.incrementAndGet() > definition.requests()) {
            drop();
            return;
        }
        AbsentClient absent = AbsentClient.besides(client);
        Outgoing copy = outgoing.copy(absent.requestHeaders());
        long held = copy.body().length().orElse(0);
        if (!absent.memory().take(held)) {
            drop();
            return;
        }
        try {
            OffRequestThreads.start("mirror", () -> send(copy, absent, held));
        } catch (RejectedExecutionException e) { // the process ends
            absent.memory().giveBack(held);
            drop();
        }
    }

    /// Whether all that is sent is here already: no body that streams, no WebSocket.
    private static boolean isPossible(Outgoing outgoing, ClientSide client) {
        return client.content().streaming() == null
                && client.handshake() == null
                && outgoing.body() instanceof HeldBody;
    }

    private void drop() {
        inFlight.decrementAndGet();
        dropped.increment();
    }

    /// @param held bytes of its body, which stay when those of the request that it was copied from have gone
    private void send(Outgoing copy, AbsentClient absent, long held) {
        UpstreamCall call = targets.get(rotation.next()).call(terms, copy, absent, null);
        try {
            call.await().body().bytes(MOST_READ);
            sent.increment();
        } catch (BodyTooLargeException e) {
            sent.increment();
            absent.onIoThread(call::cancel);
        } catch (RuntimeException e) { // of no concern to anybody but the count
            failed.increment();
        } finally {
            absent.memory().giveBack(held);
            absent.onIoThread(absent.bodies()::release);
            inFlight.decrementAndGet();
        }
    }

    UpstreamDefinition upstream() {
        return upstream;
    }

    public int inFlight() {
        return inFlight.get();
    }

    /// Copies that were answered.
    public long sent() {
        return sent.sum();
    }

    /// Copies that were not answered.
    public long failed() {
        return failed.sum();
    }

    /// Copies that were not sent, since too many were under way or no memory is left for their bodies.
    public long dropped() {
        return dropped.sum();
    }

    /// Requests that cannot be copied, since their body streams or they are WebSockets.
    public long skipped() {
        return skipped.sum();
    }
}
