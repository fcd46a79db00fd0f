package gateway.snapshot;

import gateway.config.References;
import gateway.json.ConfigProblem;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What one document names and cannot have, under the pointers of what names it: a policy that is compiled knows which
/// secret or resource it lacks, and not where it stands.
final class ReferenceProblems {
    private final SortedMap<String, String> flaws = new TreeMap<>(); // by pointer

    ReferenceProblems(References references, SecretTable secrets, ResourceTable resources) {
        references.secrets().forEach((pointer, each) -> secrets.flaw(each).ifPresent(flaw -> flaws.put(pointer, flaw)));
        references
                .resources()
                .forEach((pointer, each) -> resources.flaw(each).ifPresent(flaw -> flaws.put(pointer, flaw)));
    }

    /// All of them, as seen from outside of the document that lies at `place`.
    List<ConfigProblem> under(String place) {
        var problems = new ArrayList<ConfigProblem>();
        flaws.forEach((pointer, flaw) -> problems.add(new ConfigProblem(place + pointer, flaw)));
        return problems;
    }

    /// `problems`, those of references that cannot be had each at the places that lie below, and all others of these.
    List<ConfigProblem> with(List<ConfigProblem> problems) {
        var placed = new LinkedHashSet<ConfigProblem>();
        for (ConfigProblem problem : problems) {
            boolean isPlaced = false;
            for (ConfigProblem flaw : under("")) {
                if (!flaw.pointer().startsWith(problem.pointer() + "/")) continue;
                if (!flaw.message().equals(problem.message())) continue;
                placed.add(flaw);
                isPlaced = true;
            }
            if (!isPlaced) placed.add(problem);
        }
        placed.addAll(under(""));
        return List.copyOf(placed);
    }
}
