package gateway.snapshot;

import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.service.SecretReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The problems of one document's secrets, under the pointers of what names these: a policy that is compiled knows
/// which secret it lacks, and not where it stands.
final class SecretProblems {
    private final ConfigNode document;
    private final SecretTable table;

    /// @param document that was read
    SecretProblems(ConfigNode document, SecretTable table) {
        this.document = document;
        this.table = table;
    }

    /// `problems`, those of secrets that cannot be had each at the places that lie below.
    List<ConfigProblem> placed(List<ConfigProblem> problems) {
        Map<String, String> flaws = flaws();
        var placed = new ArrayList<ConfigProblem>();
        for (ConfigProblem problem : problems) {
            int before = placed.size();
            flaws.forEach((pointer, flaw) -> {
                boolean isBelow = pointer.startsWith(problem.pointer() + "/");
                if (isBelow && problem.message().equals(flaw)) placed.add(new ConfigProblem(pointer, flaw));
            });
            if (placed.size() == before) placed.add(problem);
        }
        return placed;
    }

    private Map<String, String> flaws() {
        var flaws = new HashMap<String, String>();
        for (String pointer : document.secrets()) {
            Optional<SecretReference> reference = document.json()
                    .map(json -> SecretReader.read(ConfigNode.of(json.at(pointer), document.document())));
            reference.flatMap(table::flaw).ifPresent(flaw -> flaws.put(pointer, flaw));
        }
        return flaws;
    }
}
