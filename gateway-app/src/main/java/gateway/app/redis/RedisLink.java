package gateway.app.redis;

import gateway.service.DependencyException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.SlotHash;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls scripts on Redis, each with a deadline and behind a breaker: a call is answered or fails within
/// the deadline, and at once while Redis is known to be away.
final class RedisLink implements AutoCloseable {
    static final String DEPENDENCY = "redis";

    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
    private static final int SLOTS_TOGETHER = 256; // a node of a cluster serves ranges of slots
    private static final List<String> OUTAGES = List.of(
            "LOADING",
            "READONLY",
            "MASTERDOWN",
            "CLUSTERDOWN",
            "TRYAGAIN",
            "OOM",
            "MISCONF",
            "NOREPLICAS",
            "BUSY",
            "NOAUTH",
            "NOPERM",
            "WRONGPASS");

    private final CurrentConnections line;
    private final CallDeadlines deadlines;
    private final RedisBreaker[] breakers;
    private final long deadlineNanos;
    private final long patienceNanos;
    private final LongAdder failures = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder starved = new LongAdder();

    /// Who is told how a call went, on a thread that must not be held up.
    interface Follower {
        /// It ended: answered, or else in time for whoever asked to go on without.
        default void ended(Call call) {}

        /// Its deadline had ended it, and now its answer has come after all (or never will: not `answered`).
        default void settled(Call call, boolean answered) {}
    }

    private RedisLink(CurrentConnections line, RedisSettings settings, boolean cluster) {
        this.line = line;
        this.deadlineNanos = settings.deadline().toNanos();
        this.patienceNanos = Math.max(deadlineNanos, settings.patience().toNanos());
        this.deadlines = new CallDeadlines(deadlineNanos, line::loops);
        this.breakers = Stream.generate(RedisBreaker::new)
                .limit(cluster ? SlotHash.SLOT_COUNT / SLOTS_TOGETHER : 1)
                .toArray(RedisBreaker[]::new);
    }

    /// @throws DependencyException when Redis cannot be reached now
    static RedisLink open(RedisSettings settings) {
        var address = RedisAddress.parse(settings.uri(), settings.patience());
        return open(settings, address, () -> Connections.open(address, settings));
    }

    /// @throws DependencyException when `opening` fails
    static RedisLink open(RedisSettings settings, RedisAddress address, Supplier<Connections> opening) {
        try {
            var link = new RedisLink(CurrentConnections.open(opening), settings, address.cluster());
            link.deadlines.start();
            link.line.watch(link::silent, link::renewed);
            return link;
        } catch (RedisException e) {
            throw new DependencyException(DEPENDENCY, "cannot connect to " + address + ": " + reason(e), e);
        }
    }

    /// The answer within the request's deadline.
    ///
    /// @throws DependencyException when there is none
    <R extends ScriptReply> R ask(Script script, Arguments arguments, R reply) {
        return answer(send(script, arguments, reply, false, null), reply);
    }

    /// The answer within what administrators and background tasks wait.
    ///
    /// @throws DependencyException when there is none
    <R extends ScriptReply> R askPatiently(Script script, Arguments arguments, R reply) {
        return answer(send(script, arguments, reply, true, null), reply);
    }

    /// Sends without waiting; [#answer] waits.
    ///
    /// @throws DependencyException when Redis is known to be away
    Call begin(Script script, Arguments arguments, ScriptReply reply, @Nullable Follower follower) {
        return send(script, arguments, reply, false, follower);
    }

    /// Sends without waiting, and with the patience of the background.
    ///
    /// @throws DependencyException when Redis is known to be away
    Call beginPatiently(Script script, Arguments arguments, ScriptReply reply, Follower follower) {
        return send(script, arguments, reply, true, follower);
    }

    /// Waits for `coming`, which a patient call brings, no longer than a request waits for a call of its
    /// own. The call goes on.
    ///
    /// @param key the first of the call, which decides whom it asks
    /// @param departed see [Wait]
    /// @param mine whether the caller has just begun it; others do not wait for a Redis known to be away
    /// @throws DependencyException when it did not come
    void await(String key, CompletableFuture<Void> coming, LongUnaryOperator departed, boolean mine) {
        var breaker = breaker(key);
        if (!mine && breaker.open() && !coming.isDone()) throw notAsked();
        var wait = new Wait(coming.copy(), System.nanoTime(), deadlineNanos, departed);
        deadlines.add(wait, false);
        try {
            wait.what().join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof DependencyException outage)) throw e;
            if (outage == wait.overdue()) missed(breaker, Wait.PROBLEM);
            if (outage == wait.late()) starved.increment();
            throw outage;
        }
    }

    /// Counts requests that were taken from a counter and could not surely be given back.
    void lost(long requests) {
        lost.add(requests);
    }

    /// Waits for `call` to end.
    ///
    /// @param reply the one given to it
    /// @throws DependencyException when it was not answered properly
    <R extends ScriptReply> R answer(Call call, R reply) {
        call.await();
        require(call);
        return reply;
    }

    /// @throws DependencyException unless `call`, which has ended, was answered properly
    static void require(Call call) {
        if (call.end() == Call.End.ANSWERED && call.error() == null) return;
        if (call.end() == Call.End.STARVED) throw DependencyException.starved(DEPENDENCY);
        throw new DependencyException(DEPENDENCY, problem(call));
    }

    /// @throws DependencyException when Redis refuses or does not answer
    void listen(List<String> channels, BiConsumer<String, String> listener) {
        try {
            line.listen(channels, listener);
        } catch (RedisException e) {
            throw new DependencyException(DEPENDENCY, "cannot subscribe to " + channels + ": " + reason(e), e);
        }
    }

    /// How many connections listen to `channel`, on all nodes of a cluster together.
    ///
    /// @throws DependencyException when one of them does not answer, or may not be asked
    long listeners(String channel) {
        try {
            return line.ofEachServer(server -> server.pubsubNumsub(channel).getOrDefault(channel, 0L)).stream()
                    .mapToLong(Long::longValue)
                    .sum();
        } catch (RedisException e) {
            throw new DependencyException(DEPENDENCY, "cannot tell who listens to " + channel + ": " + reason(e), e);
        }
    }

    /// What each server says of its memory, as `INFO` has it.
    ///
    /// @throws DependencyException when one of them does not answer, or may not be asked
    List<String> memory() {
        try {
            return line.ofEachServer(server -> server.info("memory"));
        } catch (RedisException e) {
            throw new DependencyException(DEPENDENCY, "cannot tell what may be evicted: " + reason(e), e);
        }
    }

    RedisState state() {
        return new RedisState(
                Arrays.stream(breakers).noneMatch(RedisBreaker::open),
                failures.sum(),
                refused.sum(),
                lost.sum(),
                starved.sum());
    }

    private Call send(
            Script script, Arguments arguments, ScriptReply reply, boolean patient, @Nullable Follower follower) {
        long now = System.nanoTime();
        var breaker = breaker(arguments.firstKey());
        if (!breaker.admits(now)) throw notAsked();
        var call = new Call(
                script, arguments, reply, new Sending(breaker, follower), now, patient ? patienceNanos : deadlineNanos);
        dispatch(call);
        if (!call.ended()) deadlines.add(call, patient); // not before: one that nobody has sent is not late
        return call;
    }

    private DependencyException notAsked() {
        refused.increment();
        return new DependencyException(DEPENDENCY, "not asked, since the calls before failed");
    }

    private void dispatch(Call call) {
        try {
            line.send(call);
        } catch (RedisException e) {
            call.completeExceptionally(e);
        }
    }

    private RedisBreaker breaker(String key) {
        if (breakers.length == 1) return breakers[0];
        return breakers[SlotHash.getSlot(key) / SLOTS_TOGETHER];
    }

    private void judge(Call call, RedisBreaker breaker) {
        if (call.end() == Call.End.STARVED) {
            starved.increment(); // nobody knows what Redis has done
            return;
        }
        boolean answered = call.end() == Call.End.ANSWERED;
        if (answered) breaker.heard();
        String error = answered ? call.error() : null;
        if (answered && (error == null || OUTAGES.stream().noneMatch(error::startsWith))) {
            if (breaker.open()) LOG.info("redis answers again");
            breaker.succeeded();
            return;
        }
        if (error != null && error.startsWith("READONLY")) line.renew();
        if (answered) failed(breaker, problem(call));
        else missed(breaker, problem(call));
    }

    private void missed(RedisBreaker breaker, String why) {
        breaker.unheard(System.nanoTime());
        failed(breaker, why);
    }

    private void failed(RedisBreaker breaker, String why) {
        failures.increment();
        if (breaker.failed(System.nanoTime())) LOG.warn("redis is away: {}", why);
    }

    private boolean silent(long nanos) {
        long now = System.nanoTime();
        for (var breaker : breakers) {
            if (breaker.silent(now, nanos)) return true;
        }
        return false;
    }

    private void renewed() {
        for (var breaker : breakers) breaker.reset();
    }

    private static String problem(Call call) {
        String error = call.error();
        return switch (call.end()) {
            case EXPIRED, STARVED, PENDING -> call + ": no answer within the deadline";
            case DISCONNECTED -> call + ": " + (error == null ? "connection lost" : error);
            case ANSWERED -> call + ": " + error;
        };
    }

    private static String reason(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) deepest = deepest.getCause();
        return String.valueOf(deepest.getMessage());
    }

    @Override
    public void close() {
        deadlines.close();
        line.close();
    }

    /// What one call tells: its breaker, then whoever began it.
    private final class Sending implements Call.Sender {
        private final RedisBreaker breaker;
        private final @Nullable Follower follower;

        Sending(RedisBreaker breaker, @Nullable Follower follower) {
            this.breaker = breaker;
            this.follower = follower;
        }

        @Override
        public void again(Call call) {
            dispatch(call);
        }

        @Override
        public void ended(Call call) {
            judge(call, breaker);
            if (follower != null) follower.ended(call);
        }

        @Override
        public void settled(Call call, boolean answered) {
            if (follower != null) follower.settled(call, answered);
        }
    }
}
