package gateway.policy;

import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.key.Plan;
import gateway.key.Plans;
import gateway.service.ApiMeters;
import gateway.service.FakeCalls;
import gateway.service.FakeContents;
import gateway.service.FakeEntryStore;
import gateway.service.FakeKeyStore;
import gateway.service.FakeLimitStore;
import gateway.service.FakePurges;
import gateway.service.FakeSecrets;
import gateway.service.FakeShortTerm;
import gateway.service.FakeSlotStore;
import gateway.service.KeptParts;
import gateway.service.ManualClock;
import gateway.service.Refresher;
import gateway.service.Resource;
import gateway.service.ResourceDocument;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import gateway.service.Workers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Services made of fakes, all under one manual clock.
public final class FakeServices implements Services {
    private final ManualClock clock;
    private final FakeKeyStore keys = new FakeKeyStore();
    private final FakeLimitStore limits;
    private final FakeLimitStore localLimits;
    private final FakeShortTerm shortTerm;
    private final FakeSlotStore slots;
    private final FakeEntryStore entries;
    private final FakePurges purges;
    private final Map<String, Plan> plans = new HashMap<>();
    private final FakeSecrets secrets = new FakeSecrets();
    private final FakeContents contents = new FakeContents();
    private final Map<String, Resource> resources = new HashMap<>();
    private final FakeCalls calls = new FakeCalls();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Workers workers;
    private final Refresher refresher = new Refresher();
    private final KeptParts parts = new KeptParts();

    public FakeServices() {
        this(new Workers(2, Duration.ofSeconds(10)));
    }

    /// @param workers these instead of two patient ones
    public FakeServices(Workers workers) {
        this(workers, ManualClock.create());
    }

    private FakeServices(Workers workers, ManualClock clock) {
        this(workers, clock, new FakeSlotStore(), new FakeEntryStore(clock), new FakePurges());
    }

    private FakeServices(
            Workers workers, ManualClock clock, FakeSlotStore slots, FakeEntryStore entries, FakePurges purges) {
        this.workers = workers;
        this.clock = clock;
        this.slots = slots;
        this.entries = entries;
        this.purges = purges;
        this.limits = new FakeLimitStore(clock);
        this.localLimits = new FakeLimitStore(clock);
        this.shortTerm = new FakeShortTerm(clock);
    }

    /// Those of another node that shares slots, entries and purges with this one.
    public FakeServices beside() {
        return new FakeServices(workers, clock, slots, entries, purges);
    }

    @Override
    public FakeKeyStore keys() {
        return keys;
    }

    @Override
    public Plans plans() {
        return id -> Optional.ofNullable(plans.get(id));
    }

    @Override
    public FakeLimitStore limits() {
        return limits;
    }

    @Override
    public FakeLimitStore localLimits() {
        return localLimits;
    }

    @Override
    public FakeShortTerm shortTerm() {
        return shortTerm;
    }

    @Override
    public FakeSlotStore slots() {
        return slots;
    }

    @Override
    public FakeEntryStore entries() {
        return entries;
    }

    @Override
    public FakePurges purges() {
        return purges;
    }

    @Override
    public Workers workers() {
        return workers;
    }

    @Override
    public boolean groovyScripts() {
        return true;
    }

    @Override
    public FakeCalls calls() {
        return calls;
    }

    @Override
    public Refresher refresher() {
        return refresher;
    }

    @Override
    public FakeSecrets secrets() {
        return secrets;
    }

    @Override
    public Secret secret(SecretReference reference) {
        return secrets.open(reference);
    }

    @Override
    public FakeContents contents() {
        return contents;
    }

    /// From now on policies that are compiled by themselves find this resource.
    public void putResource(String id, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        resources.put(id, new Resource(ResourceDocument.of(id, "", bytes), bytes));
    }

    @Override
    public Resource resource(ResourceReference reference) {
        Resource found = resources.get(reference.id());
        if (found == null) throw new InvalidConfigException("", "unknown resource \"" + reference.id() + '"');
        return found;
    }

    @Override
    public ManualClock clock() {
        return clock;
    }

    @Override
    public MeterRegistry meters() {
        return meters;
    }

    /// Counts what policies say among [#meters].
    @Override
    public ApiMeters metersOf(String api) {
        return new NotedVerdicts(api, meters);
    }

    @Override
    public KeptParts parts() {
        return parts;
    }

    /// From now on there is this plan.
    public void put(Plan plan) {
        plans.put(plan.id(), plan);
    }
}
