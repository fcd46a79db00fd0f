package gateway.app;

import gateway.app.SharedServices.Stores;
import gateway.app.admin.HealthPages;
import gateway.app.admin.StoreState;
import gateway.app.entries.ComponentEntryStore;
import gateway.app.entries.ComponentSettingTable;
import gateway.app.entries.ComponentTerms;
import gateway.app.memory.EmbeddedStores;
import gateway.app.memory.MemoryPurges;
import gateway.app.memory.MemoryShortTerm;
import gateway.app.memory.MemorySlots;
import gateway.app.metrics.MeterNames;
import gateway.app.metrics.Metrics;
import gateway.app.redis.RedisMetrics;
import gateway.app.redis.RedisSettings;
import gateway.app.redis.RedisStores;
import gateway.app.secrets.DefinitionSecrets;
import gateway.app.settings.SettingTable;
import gateway.app.settings.StartException;
import gateway.app.stop.Closing;
import gateway.app.stop.GracefulShutdown;
import gateway.app.trace.OtlpTracer;
import gateway.app.trace.TracerMetrics;
import gateway.app.traffic.TrafficMetrics;
import gateway.app.traffic.TrafficShipper;
import gateway.json.InvalidConfigException;
import gateway.service.CallTarget;
import gateway.service.Calls;
import gateway.service.DependencyException;
import gateway.service.EntryStore;
import gateway.service.ServerCalls;
import gateway.service.Tracer;
import gateway.service.TrafficLog;
import gateway.wire.memory.HeapShares;
import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens what a process keeps its state in and tells of its requests to, and has told what is in it: the stores of its
/// data folder or of Redis, the traffic log, the tracer.
record AdaptersStart(
        Settings settings,
        InstantSource clock,
        Closing closing,
        GracefulShutdown gracefulShutdown,
        MemoryBudget memory,
        Metrics metrics,
        HealthPages health) {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    static final Duration HURRIED_FLUSH = Duration.ofSeconds(1);
    private static final int MOST_LOCAL_COUNTERS = 100_000;

    Stores stores(DefinitionSecrets secrets) {
        return settings.redis().map(this::openRedis).orElseGet(() -> openFolder(secrets));
    }

    private Stores openFolder(DefinitionSecrets secrets) {
        Path data = settings.data();
        try {
            EmbeddedStores stores = closing.add(
                    EmbeddedStores.open(data, clock, settings.counters(), secrets::found), EmbeddedStores::close);
            memory.of(Kind.COUNTERS).countedBy(() -> stores.counters() * HeapShares.COUNTER_BYTES);
            metrics.readings()
                    .counter(
                            MeterNames.COUNTERS_DISPLACED,
                            "Counters that made room for others while they still held requests back",
                            stores::displacedCounters);
            var shortTerm = MemoryShortTerm.of(clock, memory.of(Kind.SHORT_TERM).most());
            memory.of(Kind.SHORT_TERM).countedBy(shortTerm::bytes);
            return new Stores(
                    stores.definitions(),
                    stores.keys(),
                    stores.limits(),
                    stores.limits(),
                    shortTerm,
                    new MemorySlots(),
                    EntryStore.NONE,
                    new MemoryPurges(),
                    stores.audit(),
                    () -> {});
        } catch (InvalidConfigException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new StartException(StartException.reasons(e));
        }
    }

    private Stores openRedis(RedisSettings redis) {
        try {
            RedisStores stores = closing.add(RedisStores.open(redis, clock), RedisStores::close);
            new RedisMetrics(stores::state, metrics.readings()).tell();
            memory.of(Kind.COUNTERS).countedBy(() -> stores.leases() * HeapShares.LEASE_BYTES);
            memory.of(Kind.KEYS).countedBy(() -> stores.keysAtHand() * HeapShares.KEY_BYTES);
            health.watchStore(
                    () -> new StoreState(
                            "redis", stores.state().available(), stores.takesKeysAtHand(), stores.evictionPolicy()),
                    settings.readiness());
            var local = EmbeddedStores.countersOnly(clock, Math.min(settings.counters(), MOST_LOCAL_COUNTERS));
            return new Stores(
                    stores.definitions(),
                    stores.keys(),
                    stores.limits(),
                    local,
                    stores.shortTerm(),
                    stores.slots(),
                    stores.entries(),
                    stores.purges(),
                    stores.audit(),
                    () -> giveBack(stores));
        } catch (DependencyException | IllegalArgumentException e) {
            throw new StartException(
                    "store " + settings.store() + ": " + e.getMessage() + "; set " + SettingTable.STORE.variable());
        }
    }

    /// `stores`, with entries in the cache component where there is one.
    Stores sharing(Stores stores, Calls calls) {
        if (settings.component().isEmpty()) return stores;
        ComponentTerms terms = settings.component().get();
        String namespace = settings.redis().orElseThrow().namespace();
        List<ServerCalls> members = terms.members().stream()
                .map(each -> calls.to(CallTarget.of(each), "/" + ComponentSettingTable.COMPONENT.name()))
                .toList();
        return stores.sharing(closing.add(
                ComponentEntryStore.open(members, terms, namespace, stores.entries(), stores.purges()),
                ComponentEntryStore::close));
    }

    private static void giveBack(RedisStores stores) {
        if (stores.giveBack()) LOG.info("stopping: leases given back");
        else LOG.warn("stopping: not all leases were given back, since Redis did not answer; they count as spent");
    }

    /// Closed after the data plane: the records of requests that were drained are flushed too.
    TrafficLog trafficLog() {
        if (settings.trafficLog().isEmpty()) return TrafficLog.OFF;
        try {
            var shipper = TrafficShipper.start(settings.trafficLog().get(), clock);
            closing.add(shipper, this::flush);
            gracefulShutdown.hurriedBy(() -> shipper.hurry(HURRIED_FLUSH));
            new TrafficMetrics(shipper, metrics.readings()).tell();
            memory.of(Kind.QUEUE).countedBy(shipper::queuedBytes);
            health.watchTrafficLog(shipper::state);
            return shipper;
        } catch (UncheckedIOException e) {
            throw new StartException("traffic log: " + StartException.reasons(e));
        }
    }

    /// Closed after the data plane, as the traffic log is.
    @Nullable
    Tracer tracer() {
        if (settings.tracing().isEmpty()) return null;
        OtlpTracer tracer = closing.add(OtlpTracer.start(settings.tracing().get(), clock), this::sendLast);
        gracefulShutdown.hurriedBy(() -> tracer.hurry(HURRIED_FLUSH));
        new TracerMetrics(tracer, metrics.readings()).tell();
        return tracer;
    }

    private void sendLast(OtlpTracer tracer) {
        tracer.hurry(gracefulShutdown.share());
        tracer.close();
    }

    private void flush(TrafficShipper shipper) {
        shipper.hurry(gracefulShutdown.share());
        shipper.close();
        long lost = shipper.lost();
        String summary = shipper.counts().summary();
        if (lost == 0) LOG.info("stopping: traffic log flushed, {}", summary);
        else LOG.error("stopping: traffic log cut off, {} records lost that it had at hand, {}", lost, summary);
    }
}
