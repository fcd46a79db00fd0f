package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.config.GlobalPolicies;
import gateway.config.PolicySet;
import gateway.http.Secret;
import gateway.route.Route;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import gateway.service.Served;
import gateway.service.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One API as compiled from its stored text; taken over by the next snapshot when neither its text nor what it names
/// has changed.
///
/// @param route empty when the API is disabled
/// @param uses the policy sets that it names
/// @param global the global policies among its own; empty when it is exempt
/// @param secrets those that its policies were compiled with
/// @param resources digests of those that its policies were compiled with
/// @param parts what its policies share with other snapshots
/// @param cost what its definition costs beyond its text
public record CompiledApi(
        String source,
        ApiDefinition definition,
        Optional<Route> route,
        List<PolicySet> uses,
        Optional<GlobalPolicies> global,
        Map<SecretReference, Secret> secrets,
        Map<ResourceReference, String> resources,
        List<? extends Served> parts,
        long cost) {
    private static final Logger LOG = LoggerFactory.getLogger(CompiledApi.class);

    public CompiledApi(String source, ApiDefinition definition, Optional<Route> route) {
        this(source, definition, route, List.of(), Optional.of(GlobalPolicies.NONE), Map.of(), Map.of(), List.of(), 0);
    }

    /// Requests may come to it from now on.
    void served() {
        tell(parts, Served::served);
        tell(upstreams(), Served::served);
    }

    /// No further request comes to it.
    void retired() {
        tell(upstreams(), Served::retired);
        tell(parts, Served::retired);
    }

    /// The snapshot has been replaced already: whichever fails, code of a plugin for one, the others hear of it.
    private void tell(List<? extends Served> used, Consumer<Served> what) {
        for (Served each : used) {
            try {
                what.accept(each);
            } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
                LOG.error(
                        "API {}: what it uses fails at its begin or end, and is used all the same", definition.id(), e);
            }
        }
    }

    /// Where its requests go: its versions may share one upstream or have their own.
    public List<Upstream> upstreams() {
        var found = new ArrayList<Upstream>();
        route.ifPresent(all -> all.leading().forEach(each -> {
            Upstream upstream = each.pipeline().upstream();
            if (!found.contains(upstream)) found.add(upstream);
        }));
        return found;
    }
}
