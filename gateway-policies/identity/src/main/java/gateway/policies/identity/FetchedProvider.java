package gateway.policies.identity;

import gateway.policies.cryptography.Fetched;
import gateway.policy.Services;
import gateway.service.Served;
import gateway.service.ServerCalls;

/// A provider's metadata, fetched again and again.
final class FetchedProvider implements Served {
    /// Policies that log in at the same provider as the same client share it.
    record Id(OpenIdProvider provider, ClientProof client) {}

    private final Fetched<ProviderMetadata> fetched;

    private FetchedProvider(Fetched<ProviderMetadata> fetched) {
        this.fetched = fetched;
    }

    static FetchedProvider of(OpenIdProvider provider, ClientProof client, ServerCalls server, Services services) {
        return services.shared(
                new Id(provider, client),
                FetchedProvider.class,
                () -> new FetchedProvider(Fetched.create(
                        provider.origin(),
                        "metadata",
                        provider.timeout(),
                        () -> ProviderMetadata.fetch(provider, services.calls(), server, client),
                        services.refresher(),
                        services.clock())));
    }

    /// @throws gateway.service.DependencyException when there is none that is young enough
    ProviderMetadata current() {
        return fetched.current();
    }

    @Override
    public void served() {
        fetched.served();
    }

    @Override
    public void retired() {
        fetched.retired();
    }
}
