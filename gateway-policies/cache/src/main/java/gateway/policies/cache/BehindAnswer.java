package gateway.policies.cache;

import gateway.http.Exchange;
import gateway.policies.cache.Flights.Flight;
import gateway.policy.Followup;
import gateway.policy.Renewal;
import java.util.Optional;

/// A stale answer was given to `request`, and the upstream is asked for a new one behind it.
///
/// @param flight of those who get the stale one meanwhile
record BehindAnswer(CachingPolicy policy, CacheRequest request, Flight flight) implements Renewal {
    @Override
    public Optional<Followup> begin(Exchange exchange) {
        return policy.renewed(request.behind(exchange), flight);
    }

    @Override
    public void dropped() {
        policy.kept().flights().land(flight);
    }
}
