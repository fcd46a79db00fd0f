package gateway.policy;

/// What a definition says about one policy; implemented by records whose components are the JSON fields.
public interface PolicySpec {
    /// Called once for each route and snapshot.
    CompiledPolicy compile(Placement placement, Services services);

    default OnOutage onOutage() {
        return OnOutage.DENY;
    }

    default RunsOn runsOn() {
        return RunsOn.REQUEST_THREAD;
    }

    /// Whether the policy answers CORS preflights: its API then also serves `OPTIONS`, listed in `match.methods` or
    /// not.
    default boolean answersPreflight() {
        return false;
    }
}
