package gateway.app.redis;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.Condition;
import gateway.policy.FakeServices;
import gateway.policy.LimitPolicy;
import gateway.policy.PolicyDefinition;
import gateway.policy.Stage;
import gateway.policy.TroubledServices;
import gateway.policy.Verdict;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DependencyException;
import gateway.service.Permit;
import gateway.service.Rule.RollingPeriod;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The threads that read what Redis answers are held up, as on a core that others use; Redis is well.
@Timeout(60)
final class StarvedNodeTest {
    private final DefaultChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final AtomicLong taken = new AtomicLong();
    private RedisProcess redis;
    private RedisLink link;
    private ExactCounting counting;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        open(Duration.ofMillis(100));
    }

    private void reopen(Duration deadline) {
        link.close();
        open(deadline);
    }

    private void open(Duration deadline) {
        var settings = RedisSettings.of(redis.uri()).withDeadline(deadline);
        var address = RedisAddress.parse(settings.uri(), settings.patience());
        link = RedisLink.open(settings, address, () -> Connections.open(address, settings, channels));
        var clock = InstantSource.system();
        counting =
                new ExactCounting(link, new Counters(settings.namespace(), new CalendarPeriods(clock), clock, false));
        until(() -> acquire() instanceof Permit.Granted);
    }

    @AfterEach
    void close() {
        link.close();
        redis.close();
    }

    @Test
    void a_charge_whose_answer_is_read_late_is_decided_by_redis_all_the_same() throws Exception {
        Held held = hold();
        long begun = System.nanoTime();
        Thread.startVirtualThread(() -> {
            until(() -> System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(200)); // past the deadline by far
            held.letGo();
        });

        assertThat(acquire()).isInstanceOf(Permit.Granted.class);
        assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(link.state().failures()).isZero();
    }

    @Test
    void one_that_waits_to_be_sent_or_read_while_its_deadline_passes_is_decided_by_redis_all_the_same()
            throws Exception {
        Held first = hold(); // behind it stands the command, and behind that what holds the thread again
        var decided = new CompletableFuture<Permit>();
        Thread.startVirtualThread(() -> decided.complete(acquire()));
        until(() -> channels.stream().anyMatch(channel -> waiting(channel) > 0));
        Held second = queueHold();
        first.letGo();
        long begun = System.nanoTime();
        until(() -> System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(200));
        second.letGo();

        assertThat(decided.get()).isInstanceOf(Permit.Granted.class);
        assertThat(link.state().failures()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Counting.class)
    void one_that_is_held_up_between_being_written_and_being_sent_is_decided_by_redis_all_the_same(Counting how)
            throws Exception {
        reopen(Duration.ofMillis(400));
        HeldSending held = holdSending();
        redis.cli("CLIENT", "PAUSE", "20000", "WRITE");
        var decided = CompletableFuture.supplyAsync(() -> acquire(how), Thread::startVirtualThread);
        held.awaitWritten();
        long written = System.nanoTime();
        until(() -> System.nanoTime() - written > TimeUnit.MILLISECONDS.toNanos(600));
        held.letGo();
        long sent = System.nanoTime();
        until(() -> System.nanoTime() - sent > TimeUnit.MILLISECONDS.toNanos(100)); // well within a deadline
        redis.cli("CLIENT", "UNPAUSE");

        assertThat(decided.get()).isInstanceOf(Permit.Granted.class);
        assertThat(link.state().failures()).isZero();
    }

    @Test
    void one_whose_answer_is_not_read_at_all_ends_as_starved_and_opens_no_breaker() throws Exception {
        Held held = hold();
        try {
            for (int i = 0; i < 6; i++) { // more than a breaker takes
                assertThatThrownBy(this::acquire)
                        .isInstanceOfSatisfying(
                                DependencyException.class,
                                e -> assertThat(e.isStarved()).isTrue());
            }
        } finally {
            held.letGo();
        }

        assertThat(link.state().available()).isTrue();
        assertThat(link.state().starved()).isEqualTo(6);
        assertThat(link.state().failures()).isZero();
    }

    /// A limit that refuses everybody when Redis is away.
    @ParameterizedTest
    @EnumSource(Counting.class)
    void a_limit_that_denies_in_an_outage_goes_by_counters_of_a_starved_node(Counting how) throws Exception {
        var asksRedis = new TroubledServices(new FakeServices(), TroubledServices.Port.COUNTERS);
        asksRedis.begin((_, _) -> List.of(acquire(how)));
        var denies = new PolicyDefinition("quota", Stage.LIMIT, (_, _) -> new Quota(charge(how)), Condition.ALWAYS);
        Pipeline pipeline =
                Pipeline.compile("orders", List.of(denies), (_, _) -> Response.of(200), asksRedis.services());

        Held held = hold();
        try {
            assertThat(status(pipeline)).isEqualTo(200);
            assertThat(link.state().starved()).isEqualTo(1);
        } finally {
            held.letGo();
        }

        redis.cli("CLIENT", "PAUSE", "20000", "WRITE");
        assertThat(status(pipeline)).isEqualTo(503);
        assertThat(link.state().starved()).isEqualTo(1);
        redis.cli("CLIENT", "UNPAUSE");
    }

    private static int status(Pipeline pipeline) {
        return pipeline.run(Exchanges.get("/").make(), new PipelineRun(UpstreamWaiter.NOBODY))
                .status();
    }

    private record Quota(Charge charge) implements LimitPolicy {
        @Override
        public Optional<Charge> charge(Exchange exchange) {
            return Optional.of(charge);
        }

        @Override
        public Verdict settle(Exchange exchange, Permit permit) {
            return permit instanceof Permit.Granted ? Verdict.proceed() : Verdict.stop(Response.of(429));
        }
    }

    @Test
    void what_redis_granted_to_them_is_given_back() throws Exception {
        Held held = hold();
        assertThatThrownBy(this::acquire).isInstanceOf(DependencyException.class);
        held.letGo();
        acquire(); // Redis has decided the other one by now

        long spent = taken.get();
        until(() -> ((Permit.Granted) look()).remaining() >= 100 - spent);
    }

    /// Spends one, and counts it when it was granted.
    private Permit acquire() {
        return acquire(Counting.EXACT);
    }

    private Permit acquire(Counting how) {
        Permit permit = new RedisLimitStore(counting, new LeasedCounting(counting, System::nanoTime, 10))
                .acquire(List.of(charge(how)))
                .getFirst();
        if (permit instanceof Permit.Granted) taken.incrementAndGet();
        return permit;
    }

    private Permit look() {
        return counting.decide(List.of(charge(Counting.EXACT)), false).getFirst();
    }

    private static Charge charge(Counting how) {
        return new Charge(
                "orders/quota/k", "k", new RollingPeriod(100, Duration.ofDays(1).toNanos()), how, true);
    }

    private static int waiting(Channel channel) {
        return ((SingleThreadEventExecutor) channel.eventLoop()).pendingTasks();
    }

    /// Holds every thread that reads from Redis.
    private Held hold() throws InterruptedException {
        var held = new CountDownLatch((int) loops());
        Held hold = queueHold(held::countDown);
        held.await();
        return hold;
    }

    /// Lets every thread that reads from Redis be held once it has done what it was asked to before.
    private Held queueHold() {
        return queueHold(() -> {});
    }

    private Held queueHold(Runnable held) {
        var letGo = new CountDownLatch(1);
        channels.stream()
                .map(Channel::eventLoop)
                .distinct()
                .forEach(loop -> loop.execute(() -> {
                    held.run();
                    try {
                        letGo.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
        return letGo::countDown;
    }

    /// Holds what goes to the sockets behind all that Lettuce does.
    private HeldSending holdSending() {
        var held = new HeldSending();
        for (Channel channel : channels) channel.pipeline().addAfter("flush", "held", held);
        return held;
    }

    private long loops() {
        return channels.stream().map(Channel::eventLoop).distinct().count();
    }

    @Sharable
    private static final class HeldSending extends ChannelOutboundHandlerAdapter {
        private final CountDownLatch written = new CountDownLatch(1);
        private final CountDownLatch going = new CountDownLatch(1);

        @Override
        public void flush(ChannelHandlerContext context) throws InterruptedException {
            written.countDown();
            going.await();
            context.flush();
        }

        void awaitWritten() throws InterruptedException {
            written.await();
        }

        void letGo() {
            going.countDown();
        }
    }

    private interface Held {
        void letGo();
    }
}
