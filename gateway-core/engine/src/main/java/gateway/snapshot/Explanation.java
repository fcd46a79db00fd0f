package gateway.snapshot;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.pipeline.StepExplanation;
import gateway.route.Route;
import java.util.List;
import java.util.Optional;

/// How a request that nobody has sent would fare by one snapshot.
///
/// @param exchange as the policies have left it, with what the upstream would get
/// @param route that serves it; empty when none does
/// @param steps every policy of the route in the order in which they are asked
/// @param answer of the gateway; empty when the upstream would be asked
public record Explanation(
        long revision,
        Exchange exchange,
        Optional<Route> route,
        List<StepExplanation> steps,
        Optional<Response> answer) {
    public Explanation {
        steps = List.copyOf(steps);
    }
}
