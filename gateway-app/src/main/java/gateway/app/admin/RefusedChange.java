package gateway.app.admin;

import gateway.json.ConfigProblem;
import gateway.service.DocumentId;
import java.util.List;
import java.util.Set;

/// Why a change of definitions is refused, as the one who asked for it sees it.
final class RefusedChange {
    private RefusedChange() {}

    /// 409 when all that is wrong is that two definitions serve the same requests, else 422. Pointers into the one
    /// document that was changed are cut to point into it.
    static AdminProblem of(List<ConfigProblem> problems, Set<DocumentId> changed) {
        List<ConfigProblem> seen = changed.size() == 1
                ? problems.stream()
                        .map(problem -> within(changed.iterator().next(), problem))
                        .toList()
                : problems;
        return problems.stream().allMatch(RefusedChange::isConflict)
                ? AdminProblem.conflict(seen)
                : AdminProblem.refused(seen);
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
