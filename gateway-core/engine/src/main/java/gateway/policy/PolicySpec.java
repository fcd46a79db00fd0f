package gateway.policy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What a definition says about one policy; implemented by records whose components are the JSON fields.
public interface PolicySpec {
    /// Called once for each route and snapshot.
    CompiledPolicy compile(PolicyPlace placement, Services services);

    default RunsOn runsOn() {
        return RunsOn.REQUEST_THREAD;
    }

    /// What it needs of the bodies of messages; none, unless it says so. Limits see none.
    default BodyUse bodyUse() {
        return BodyUse.NONE;
    }

    /// Whether it opens requests that came closed, or closes answers: it stands before the others of its stage then, so
    /// that these see requests opened and answers while they are open, wherever the list has it.
    default boolean opensMessages() {
        return false;
    }

    /// Policies that come with it, each once however many bring it: an authentication brings the limits that callers
    /// have of their own.
    default List<PolicyDefinition> brings() {
        return List.of();
    }

    /// Branches of the upstream that it sends requests to, by the pointers within it that name them: an upstream
    /// without one of them is a problem there.
    default Map<String, String> branches() {
        return Map.of();
    }

    /// What it cannot decide without.
    default Set<Dependency> dependencies() {
        return Set.of();
    }

    /// Policies of which any one is enough to let a request pass, where the policy is made of such; it depends on what
    /// any of them does.
    default List<PolicyDefinition> alternatives() {
        return List.of();
    }

    /// Whether it lets some requests pass without any authentication.
    default boolean waivesAuthentication() {
        return false;
    }

    /// What a request that nobody has sent would change or cost if this policy were asked about it, in words; empty:
    /// nothing. A policy with any is not asked when an operator has a request explained.
    default Optional<String> sideEffect() {
        for (Dependency each : dependencies()) {
            switch (each) {
                case Dependency.Server(String name) -> {
                    return Optional.of("it calls " + name);
                }
                case Dependency.Store _ -> {} // asked without spending, see [gateway.service.LimitStore#peek]
            }
        }
        return Optional.empty();
    }

    /// Whether it may be left to report what it would refuse: it does nothing but refuse, so that a request which
    /// passes all the same is none the worse, and nobody is let in by it.
    default boolean mayReport() {
        return false;
    }

    /// Whether it only reports of requests, by a field of its own: one that cannot be held for it, since it is too
    /// large or broken, is shown to it all the same, and reported.
    default boolean reportsRequests() {
        return false;
    }

    /// Whether it only reports of answers, likewise: one that cannot be held for it is reported, and goes on.
    default boolean reportsAnswers() {
        return false;
    }

    /// Whether the policy waits for something outside of this process, or burns CPU: then its time is told too.
    default boolean callsOut(Services services) {
        for (Dependency each : dependencies()) if (each.isRemote(services)) return true;
        return runsOn() == RunsOn.WORKER;
    }

    /// Where callers put what proves who they are: the traffic log never shows these fields of its API's requests.
    default CredentialFields credentials() {
        return CredentialFields.USUAL;
    }

    /// Fields that the upstream writes into answers for this policy: no client gets them, whether the policy is asked
    /// about the request or not.
    default Set<String> innerFields() {
        return Set.of();
    }

    /// Whether it lets requests pass, or refuses them, by their path: then its API refuses `;` parameters there, unless
    /// its definition says otherwise.
    default boolean decidesByPath() {
        return false;
    }

    /// Whether the policy answers CORS preflights: its API then also serves `OPTIONS`, listed in `match.methods` or
    /// not.
    default boolean answersPreflight() {
        return false;
    }
}
