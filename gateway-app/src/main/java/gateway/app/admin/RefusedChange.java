package gateway.app.admin;

import gateway.json.ConfigProblem;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Why a change of definitions is refused, as the one who asked for it sees it.
final class RefusedChange {
    private RefusedChange() {}

    /// What is wrong with the changed documents first, then what that makes wrong with others.
    ///
    /// 409 when all that is wrong is that two definitions serve the same requests, else 422.
    static AdminProblem of(List<ConfigProblem> problems, Set<DocumentId> changed) {
        List<ConfigProblem> seen = problems.stream()
                .sorted(Comparator.comparing(problem -> !isOf(changed, problem)))
                .toList();
        return problems.stream().allMatch(RefusedChange::isConflict)
                ? AdminProblem.conflict(seen)
                : AdminProblem.refused(seen);
    }

    /// `refused` for who has sent the one document that was to be changed: pointers into it are cut to begin there.
    static AdminProblem within(List<DefinitionChange> changed, AdminProblem refused) {
        if (changed.size() != 1) return refused;
        DocumentId id = changed.getFirst().id();
        return refused.withProblems(problem -> within(id, problem));
    }

    private static boolean isOf(Set<DocumentId> changed, ConfigProblem problem) {
        return DocumentId.ofPointer(problem.pointer()).filter(changed::contains).isPresent();
    }

    private static boolean isConflict(ConfigProblem problem) {
        return problem.message().contains("same match");
    }

    private static ConfigProblem within(DocumentId id, ConfigProblem problem) {
        String place = id.pointer(); // an id that was refused may itself hold slashes
        String pointer = problem.pointer();
        if (!pointer.equals(place) && !pointer.startsWith(place + "/")) return problem;
        return new ConfigProblem(pointer.substring(place.length()), problem.message());
    }
}
