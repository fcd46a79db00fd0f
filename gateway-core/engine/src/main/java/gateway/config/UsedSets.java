package gateway.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The policy sets that one document names, each once, as they are found.
public final class UsedSets implements PolicySets {
    private final PolicySets sets;
    private final List<PolicySet> found = new ArrayList<>();
    private Optional<GlobalPolicies> global = Optional.empty();

    public UsedSets(PolicySets sets) {
        this.sets = sets;
    }

    @Override
    public Found find(String id) {
        Found answer = sets.find(id);
        switch (answer) {
            case Found.Usable(var set) -> {
                if (found.stream().noneMatch(other -> other.id().equals(id))) found.add(set);
            }
            case Found.Missing _ -> {} // becomes a problem
        }
        return answer;
    }

    @Override
    public Optional<GlobalPolicies> global() {
        global = sets.global();
        return global;
    }

    /// The global policies that the document took; empty when it took none.
    public Optional<GlobalPolicies> foundGlobal() {
        return global;
    }

    public List<PolicySet> found() {
        return List.copyOf(found);
    }
}
