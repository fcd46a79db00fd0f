package gateway.snapshot;

import gateway.config.References;
import gateway.http.ContentCodings;
import gateway.http.Secret;
import gateway.key.KeyStore;
import gateway.key.Plans;
import gateway.policy.Services;
import gateway.service.ApiMeters;
import gateway.service.Calls;
import gateway.service.Contents;
import gateway.service.EntryStore;
import gateway.service.KeptPart;
import gateway.service.KeptParts;
import gateway.service.LimitStore;
import gateway.service.Purges;
import gateway.service.Refresher;
import gateway.service.Resource;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import gateway.service.SecretSource;
import gateway.service.ShortTerm;
import gateway.service.SlotStore;
import gateway.service.Workers;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The services as one API's policies ask for them while they are compiled: notes which shared parts,
/// secrets and resources these use.
final class HoldingServices implements Services {
    private final Services services;
    private final SecretTable secretTable;
    private final ResourceTable resourceTable;
    private final List<KeptPart<?>> held = new ArrayList<>();
    private final Map<SecretReference, Secret> used = new HashMap<>();
    private final Map<ResourceReference, String> usedResources = new HashMap<>();

    HoldingServices(Services services, SecretTable secretTable, ResourceTable resourceTable) {
        this.services = services;
        this.secretTable = secretTable;
        this.resourceTable = resourceTable;
    }

    /// The secrets that were asked for so far.
    Map<SecretReference, Secret> usedSecrets() {
        return Map.copyOf(used);
    }

    /// The digests of the resources that were asked for so far.
    Map<ResourceReference, String> usedResources() {
        return Map.copyOf(usedResources);
    }

    /// Asks for all of `references`, also where no policy has done so yet.
    ///
    /// @throws gateway.json.InvalidConfigException when one cannot be had
    void ask(References references) {
        references.secrets().values().forEach(this::secret);
        references.resources().values().forEach(this::resource);
    }

    @Override
    public Resource resource(ResourceReference reference) {
        Resource resource = resourceTable.find(reference);
        usedResources.put(reference, resource.sha256());
        return resource;
    }

    @Override
    public Contents contents() {
        return services.contents();
    }

    @Override
    public Secret secret(SecretReference reference) {
        Secret secret = secretTable.find(reference);
        used.put(reference, secret);
        return secret;
    }

    @Override
    public SecretSource secrets() {
        return services.secrets();
    }

    @Override
    public ContentCodings contentCodings() {
        return services.contentCodings();
    }

    /// The parts that were asked for so far, once for each time.
    List<KeptPart<?>> held() {
        return List.copyOf(held);
    }

    @Override
    public <T> T shared(Record key, Class<T> type, Supplier<T> make) {
        KeptPart<T> part = services.parts().of(key, type, make);
        held.add(part);
        return part.value();
    }

    @Override
    public KeptParts parts() {
        return services.parts();
    }

    @Override
    public KeyStore keys() {
        return services.keys();
    }

    @Override
    public Plans plans() {
        return services.plans();
    }

    @Override
    public LimitStore limits() {
        return services.limits();
    }

    @Override
    public LimitStore localLimits() {
        return services.localLimits();
    }

    @Override
    public ShortTerm shortTerm() {
        return services.shortTerm();
    }

    @Override
    public EntryStore entries() {
        return services.entries();
    }

    @Override
    public SlotStore slots() {
        return services.slots();
    }

    @Override
    public Purges purges() {
        return services.purges();
    }

    @Override
    public Workers workers() {
        return services.workers();
    }

    @Override
    public Calls calls() {
        return services.calls();
    }

    @Override
    public Refresher refresher() {
        return services.refresher();
    }

    @Override
    public boolean groovyScripts() {
        return services.groovyScripts();
    }

    @Override
    public InstantSource clock() {
        return services.clock();
    }

    @Override
    public MeterRegistry meters() {
        return services.meters();
    }

    @Override
    public ApiMeters metersOf(String api) {
        return services.metersOf(api);
    }
}
