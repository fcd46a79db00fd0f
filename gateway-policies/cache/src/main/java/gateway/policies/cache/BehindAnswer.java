package gateway.policies.cache;

import gateway.http.Exchange;
import gateway.policies.cache.Flights.Flight;
import gateway.policy.Followup;
import gateway.policy.Renewal;
import java.util.Optional;

/// `found` was given to `request` although it is stale, and the upstream is asked for a new one behind it.
///
/// @param flight of those who get the stale one meanwhile
record BehindAnswer(CachingPolicy policy, CacheRequest request, FoundAnswer found, Flight flight) implements Renewal {
    @Override
    public Optional<Followup> begin(Exchange exchange) {
        ClientWish.remove(exchange.headers());
        return policy.renewed(request.behind(exchange), flight);
    }

    @Override
    public long most() {
        return policy.spec().rules().most();
    }

    @Override
    public void outgrown() {
        policy.kept().outgrown(request, found);
        dropped();
    }

    @Override
    public void dropped() {
        policy.kept().flights().land(flight);
    }
}
