package gateway.app.upstream;

import gateway.app.steering.Group;
import java.util.List;

/// Where requests of an upstream can go at the moment: each endpoint of `group` is the target at the same place.
record Placement(Group group, List<Target> targets) {}
