package gateway.app.redis;

import gateway.key.KeyStore;
import gateway.service.AuditLog;
import gateway.service.DefinitionStore;
import gateway.service.DependencyException;
import gateway.service.EntryStore;
import gateway.service.LimitStore;
import gateway.service.Purges;
import gateway.service.ShortTerm;
import gateway.service.SlotStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Everything kept in one Redis, over one connection.
///
/// A background thread looks for changes of other nodes a few times a second; messages on channels only
/// make it sooner.
public final class RedisStores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisStores.class);
    private static final long REFRESH_MILLIS = 500;
    private static final long EVICTION_SECONDS = 30;
    private static final long ROOM_SECONDS = 5;

    private final RedisLink link;
    private final RedisDefinitionStore definitions;
    private final RedisKeyStore keys;
    private final RedisLimitStore limits;
    private final RedisShortTerm shortTerm;
    private final RedisSlots slots;
    private final RedisPurges purges;
    private final RedisEntryStore entries;
    private final RedisAuditLog audit;
    private final Eviction eviction;
    private final ScheduledExecutorService background;
    private final ScheduledExecutorService purging; // which waits for no reload
    private final AtomicBoolean isToHear = new AtomicBoolean(); // of groups: one look is for many messages
    private final ScheduledExecutorService renewing; // which waits for neither: leases end

    private RedisStores(RedisLink link, RedisSettings settings, InstantSource clock) {
        this.link = link;
        this.definitions = RedisDefinitionStore.open(link, settings.namespace());
        this.keys = RedisKeyStore.open(link, settings, clock);
        var counters = new Counters(settings.namespace(), new CalendarPeriods(clock), clock, false);
        var exact = new ExactCounting(link, counters);
        this.limits = new RedisLimitStore(
                exact,
                new LeasedCounting(exact, System::nanoTime, settings.room().leases()));
        this.shortTerm = new RedisShortTerm(link, settings.namespace());
        this.slots = new RedisSlots(link, settings.namespace());
        this.purges = RedisPurges.open(link, settings.namespace());
        this.entries = RedisEntryStore.open(link, settings.namespace(), purges);
        this.audit = new RedisAuditLog(link, settings.namespace());
        this.eviction = new Eviction(link);
        Rehearsal.of(exact);
        this.background = thread("redis-refresh");
        this.purging = thread("redis-purges");
        this.renewing = thread("redis-slots");
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    /// Connects and begins to follow the other nodes.
    ///
    /// @param clock for new ids and for calendar periods; counting goes by Redis' own
    /// @throws DependencyException when Redis cannot be reached
    /// @throws IllegalArgumentException when the settings make no sense, or the pepper is not the others'
    public static RedisStores open(RedisSettings settings, InstantSource clock) {
        var link = RedisLink.open(settings);
        try {
            var stores = new RedisStores(link, settings, clock);
            LOG.info("redis answers, namespace {}", settings.namespace());
            stores.follow();
            return stores;
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    public DefinitionStore definitions() {
        return definitions;
    }

    public KeyStore keys() {
        return keys;
    }

    public LimitStore limits() {
        return limits;
    }

    public ShortTerm shortTerm() {
        return shortTerm;
    }

    public SlotStore slots() {
        return slots;
    }

    public Purges purges() {
        return purges;
    }

    public EntryStore entries() {
        return entries;
    }

    public AuditLog audit() {
        return audit;
    }

    /// How Redis has been answering, for readiness and metrics.
    public RedisState state() {
        return link.state();
    }

    /// By which policy Redis may drop what it holds; empty when it may not, or that cannot be told.
    public Optional<String> evictionPolicy() {
        return eviction.policy();
    }

    /// Counters of which this node holds a part.
    public long leases() {
        return limits.leases();
    }

    /// Keys in this node's memory.
    public long keysAtHand() {
        return keys.atHand();
    }

    /// Whether keys at hand are still taken without asking Redis.
    public boolean takesKeysAtHand() {
        return keys.isFresh();
    }

    /// Gives back what this node leased, waiting until Redis has it or its deadline is over; leases no more.
    ///
    /// @return whether Redis has all of it
    public boolean giveBack() {
        return limits.close();
    }

    /// Gives back what this node leased, then disconnects.
    @Override
    public void close() {
        background.shutdownNow();
        purging.shutdownNow();
        renewing.shutdownNow();
        limits.close();
        link.close();
    }

    private void follow() {
        link.listen(List.of(keys.channel(), definitions.channel(), purges.channel(), entries.channel()), this::told);
        var _ = background.scheduleWithFixedDelay(this::refresh, 0, REFRESH_MILLIS, TimeUnit.MILLISECONDS);
        var _ = purging.scheduleWithFixedDelay(this::hearOfPurges, 0, REFRESH_MILLIS, TimeUnit.MILLISECONDS);
        var _ = purging.scheduleWithFixedDelay(() -> quietly(entries::look), 0, ROOM_SECONDS, TimeUnit.SECONDS);
        var _ = renewing.scheduleWithFixedDelay(
                () -> quietly(slots::renew), RedisSlots.RENEW_SECONDS, RedisSlots.RENEW_SECONDS, TimeUnit.SECONDS);
        var _ = background.scheduleWithFixedDelay(() -> quietly(eviction::look), 0, EVICTION_SECONDS, TimeUnit.SECONDS);
    }

    private void told(String channel, String message) {
        if (channel.equals(keys.channel())) {
            keys.told(message);
            return;
        }
        try {
            if (channel.equals(purges.channel())) purging.execute(() -> quietly(purges::refresh));
            else if (channel.equals(entries.channel())) hearOfGroups();
            else background.execute(this::refresh); // watchers may take long; the event loop may not
        } catch (RejectedExecutionException e) {
            LOG.debug("told of a change while closing", e);
        }
    }

    private void hearOfGroups() {
        if (isToHear.getAndSet(true)) return;
        purging.execute(() -> {
            isToHear.set(false);
            quietly(entries::hear);
        });
    }

    private void hearOfPurges() {
        quietly(purges::refresh);
        quietly(entries::hear);
        quietly(entries::refresh);
    }

    private void refresh() {
        quietly(keys::refresh);
        quietly(definitions::refresh);
        quietly(limits::refresh);
    }

    private static void quietly(Runnable task) {
        try {
            task.run();
        } catch (DependencyException e) {
            LOG.debug("refresh", e); // the breaker has said that Redis is away
        } catch (RuntimeException e) {
            LOG.error("refresh", e); // a watcher's fault must not end the following
        }
    }
}
