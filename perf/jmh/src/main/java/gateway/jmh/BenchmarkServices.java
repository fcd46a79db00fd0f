package gateway.jmh;

import gateway.app.memory.EmbeddedStores;
import gateway.app.memory.MemoryPurges;
import gateway.app.memory.MemoryShortTerm;
import gateway.app.memory.MemorySlots;
import gateway.http.Body;
import gateway.http.Headers;
import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.key.KeyStore;
import gateway.key.Plans;
import gateway.policy.Services;
import gateway.service.CallAnswer;
import gateway.service.CallRequest;
import gateway.service.Calls;
import gateway.service.KeptPart;
import gateway.service.KeptParts;
import gateway.service.LimitStore;
import gateway.service.Purges;
import gateway.service.Refresher;
import gateway.service.Resource;
import gateway.service.ResourceDocument;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import gateway.service.SecretSource;
import gateway.service.ShortTerm;
import gateway.service.SlotStore;
import gateway.service.Workers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/// The embedded stores in a temporary folder.
final class BenchmarkServices implements Services {
    private final EmbeddedStores stores;
    private final ShortTerm shortTerm = MemoryShortTerm.of(InstantSource.system(), 8 << 20);
    private final SlotStore slots = new MemorySlots();
    private final Purges purges = new MemoryPurges();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Workers workers = new Workers(2, Duration.ofSeconds(1));
    private final Refresher refresher = new Refresher();
    private final KeptParts parts = new KeptParts();
    private final Map<String, String> variables;
    private final Map<String, Resource> resources = new HashMap<>();
    private volatile Function<CallRequest, String> answers = BenchmarkServices::nobody;

    private BenchmarkServices(EmbeddedStores stores, Map<String, String> variables) {
        this.stores = stores;
        this.variables = Map.copyOf(variables);
    }

    static BenchmarkServices open() {
        return open(Map.of());
    }

    /// @param variables in which definitions find secrets
    static BenchmarkServices open(Map<String, String> variables) {
        try {
            var folder = Files.createTempDirectory("gateway-benchmark");
            return new BenchmarkServices(EmbeddedStores.open(folder, InstantSource.system(), 1_000_000), variables);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String nobody(CallRequest request) {
        throw new IllegalStateException("nobody answers " + request.path());
    }

    /// From now on no server answers.
    void silence() {
        answers = BenchmarkServices::nobody;
    }

    @Override
    public KeyStore keys() {
        return stores.keys();
    }

    @Override
    public Plans plans() {
        return Plans.NONE;
    }

    @Override
    public LimitStore limits() {
        return stores.limits();
    }

    @Override
    public LimitStore localLimits() {
        return stores.limits();
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
    public Purges purges() {
        return purges;
    }

    @Override
    public Workers workers() {
        return workers;
    }

    @Override
    public Calls calls() {
        return (target, pointer) -> (request, bounds, within) -> answer(request);
    }

    /// From now on every server that policies call answers the JSON that `answers` says.
    BenchmarkServices answering(Function<CallRequest, String> answers) {
        this.answers = answers;
        return this;
    }

    private CallAnswer answer(CallRequest request) {
        Headers headers = Headers.create();
        headers.add("Content-Type", "application/json");
        return new CallAnswer(200, headers, Body.of(answers.apply(request).getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public Refresher refresher() {
        return refresher;
    }

    @Override
    public SecretSource secrets() {
        return SecretSource.NONE;
    }

    @Override
    public Secret secret(SecretReference reference) {
        return new Secret(variables.getOrDefault(reference.name(), ""));
    }

    /// From now on definitions find `content` under `id`.
    BenchmarkServices with(String id, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        resources.put(id, new Resource(ResourceDocument.of(id, "", bytes), bytes));
        return this;
    }

    @Override
    public Resource resource(ResourceReference reference) {
        Resource found = resources.get(reference.id());
        if (found == null) throw new InvalidConfigException("", "unknown resource \"" + reference.id() + '"');
        return found;
    }

    @Override
    public InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    public MeterRegistry meters() {
        return meters;
    }

    @Override
    public KeptParts parts() {
        return parts;
    }

    /// Served from now on: no snapshot says so where a pipeline is compiled by itself.
    @Override
    public <T> T shared(Record key, Class<T> type, Supplier<T> make) {
        KeptPart<T> part = parts.of(key, type, make);
        part.served();
        return part.value();
    }
}
