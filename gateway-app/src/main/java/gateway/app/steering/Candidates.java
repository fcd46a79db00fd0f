package gateway.app.steering;

import gateway.service.Served;
import gateway.wire.client.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Where requests of an upstream can go at the moment: each endpoint of `group` is the target at the same place.
///
/// @param held what is known of them
record Candidates(Group group, List<Target> targets, List<Served> held) {
    /// Those that are checked, by what is found.
    Map<TargetHealth, Target> checked() {
        var checked = new HashMap<TargetHealth, Target>();
        List<Endpoint> endpoints = group.endpoints();
        for (int i = 0; i < endpoints.size(); i++) {
            Target target = targets.get(i);
            endpoints.get(i).health().ifPresent(health -> checked.put(health, target));
        }
        return checked;
    }
}
