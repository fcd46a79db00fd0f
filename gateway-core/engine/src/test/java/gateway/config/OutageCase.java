package gateway.config;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.policy.FakeServices;
import gateway.policy.TroubledServices.Port;
import java.util.function.Consumer;
import java.util.function.Function;

/// A policy and requests for which it asks something outside of the process, and lets them pass when the answer is
/// good.
///
/// @param port what it asks
/// @param definition the policy, without `onOutage`
/// @param world what there is to be found: keys, servers
/// @param request a new one each time: what may come once comes once
/// @param goesOn whether requests pass all the same when there is no answer, or a wrong one
public record OutageCase(Port port, String definition, Consumer<FakeServices> world, Maker request, boolean goesOn) {
    /// Makes requests.
    @FunctionalInterface
    public interface Maker {
        /// @param gateway what answers requests that have to come before
        Exchanges make(FakeServices services, Function<Exchanges, Response> gateway);
    }

    /// One that refuses what it cannot decide.
    public static OutageCase of(Port port, String definition, Consumer<FakeServices> world, Maker request) {
        return new OutageCase(port, definition, world, request, false);
    }

    public OutageCase goingOn() {
        return new OutageCase(port, definition, world, request, true);
    }
}
