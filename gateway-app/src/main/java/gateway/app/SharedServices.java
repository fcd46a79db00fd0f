package gateway.app;

import gateway.app.metrics.Metrics;
import gateway.http.ContentCodings;
import gateway.key.KeyStore;
import gateway.key.Plans;
import gateway.policy.Services;
import gateway.service.ApiMeters;
import gateway.service.AuditLog;
import gateway.service.Calls;
import gateway.service.Contents;
import gateway.service.DefinitionStore;
import gateway.service.EntryStore;
import gateway.service.KeptParts;
import gateway.service.LimitStore;
import gateway.service.Purges;
import gateway.service.Refresher;
import gateway.service.SecretSource;
import gateway.service.ShortTerm;
import gateway.service.SlotStore;
import gateway.service.Workers;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/// The long-lived things of this process that policies use. What policies share goes when the
/// last snapshot that uses it is served no longer.
final class SharedServices implements Services {
    private final KeyStore keys;
    private final LimitStore limits;
    private final LimitStore localLimits;
    private final ShortTerm shortTerm;
    private final SlotStore slots;
    private final EntryStore entries;
    private final Purges purges;
    private final Workers workers;
    private final Calls calls;
    private final InstantSource clock;
    private final Metrics metrics;
    private final ContentCodings contentCodings = ContentCodings.loaded();
    private final KeptParts parts;
    private final Refresher refresher;
    private final SecretSource secrets;
    private final Plans plans;
    private final Contents contents;
    private final boolean groovyScripts;

    /// The stores of this process, whichever they are.
    ///
    /// @param localLimits this node's own counters, for policies that go on without the shared ones
    /// @param giveBack returns what this node has leased of shared counters
    record Stores(
            DefinitionStore definitions,
            KeyStore keys,
            LimitStore limits,
            LimitStore localLimits,
            ShortTerm shortTerm,
            SlotStore slots,
            EntryStore entries,
            Purges purges,
            AuditLog audit,
            Runnable giveBack) {
        /// The same, with entries in another place.
        Stores sharing(EntryStore other) {
            return new Stores(definitions, keys, limits, localLimits, shortTerm, slots, other, purges, audit, giveBack);
        }
    }

    SharedServices(
            Stores stores,
            KeptParts parts,
            Refresher refresher,
            Workers workers,
            Calls calls,
            SecretSource secrets,
            Plans plans,
            InstantSource clock,
            Metrics metrics,
            boolean groovyScripts) {
        this.keys = stores.keys();
        this.contents = stores.definitions().contents();
        this.limits = stores.limits();
        this.localLimits = stores.localLimits();
        this.parts = parts;
        this.refresher = refresher;
        this.shortTerm = stores.shortTerm();
        this.slots = stores.slots();
        this.entries = stores.entries();
        this.purges = stores.purges();
        this.workers = workers;
        this.calls = calls;
        this.secrets = secrets;
        this.plans = plans;
        this.clock = clock;
        this.metrics = metrics;
        this.groovyScripts = groovyScripts;
    }

    @Override
    public Contents contents() {
        return contents;
    }

    @Override
    public KeyStore keys() {
        return keys;
    }

    @Override
    public Plans plans() {
        return plans;
    }

    @Override
    public LimitStore limits() {
        return limits;
    }

    @Override
    public LimitStore localLimits() {
        return localLimits;
    }

    @Override
    public ShortTerm shortTerm() {
        return shortTerm;
    }

    @Override
    public SlotStore slots() {
        return slots;
    }

    @Override
    public EntryStore entries() {
        return entries;
    }

    @Override
    public Purges purges() {
        return purges;
    }

    @Override
    public Workers workers() {
        return workers;
    }

    @Override
    public Calls calls() {
        return calls;
    }

    @Override
    public Refresher refresher() {
        return refresher;
    }

    @Override
    public ContentCodings contentCodings() {
        return contentCodings;
    }

    @Override
    public SecretSource secrets() {
        return secrets;
    }

    @Override
    public boolean groovyScripts() {
        return groovyScripts;
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public MeterRegistry meters() {
        return metrics.registry();
    }

    @Override
    public ApiMeters metersOf(String api) {
        return metrics.of(api);
    }

    @Override
    public KeptParts parts() {
        return parts;
    }
}
