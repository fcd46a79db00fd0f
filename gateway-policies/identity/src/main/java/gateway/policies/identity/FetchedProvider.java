package gateway.policies.identity;

import gateway.http.Secret;
import gateway.policies.cryptography.Fetched;
import gateway.policy.Services;
import gateway.service.Served;
import gateway.service.ServerCalls;

/// A provider's metadata, fetched again and again.
final class FetchedProvider implements Served {
    /// Policies that log in at the same provider as the same client share it.
    record Id(OpenIdProvider provider, Secret clientSecret) {}

    private final Fetched<ProviderMetadata> fetched;

    private FetchedProvider(Fetched<ProviderMetadata> fetched) {
        this.fetched = fetched;
    }

    static FetchedProvider of(OpenIdProvider provider, ServerCalls server, Services services) {
        Secret secret = services.secret(provider.client().secret());
        return services.shared(
                new Id(provider, secret),
                FetchedProvider.class,
                () -> new FetchedProvider(Fetched.create(
                        provider.origin(),
                        "metadata",
                        provider.timeout(),
                        () -> ProviderMetadata.fetch(provider, services.calls(), server, secret),
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
