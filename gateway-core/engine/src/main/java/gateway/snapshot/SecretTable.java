package gateway.snapshot;

import gateway.http.Secret;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.SecretReference;
import gateway.service.SecretSource;
import gateway.service.SecretUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The secrets of one snapshot while it is made, each opened once. For one thread.
final class SecretTable {
    private final DefinitionSet definitions;
    private final SecretSource source;
    private final Map<SecretReference, Opened> opened = new HashMap<>();

    /// What came of opening one.
    private sealed interface Opened {
        record Had(Secret secret) implements Opened {}

        record Missing(String why) implements Opened {}
    }

    SecretTable(DefinitionSet definitions, SecretSource source) {
        this.definitions = definitions;
        this.source = source;
    }

    /// What is wrong with stored ones, used or not, under `/secrets/<id>`.
    List<ConfigProblem> problems() {
        var problems = new ArrayList<ConfigProblem>();
        for (String id : definitions.ids(DocumentKind.SECRETS)) {
            if (opened(new SecretReference(SecretReference.Origin.SECRET, id)) instanceof Opened.Missing(var why)) {
                problems.add(new ConfigProblem(new DocumentId(DocumentKind.SECRETS, id).pointer(), why));
            }
        }
        return problems;
    }

    /// @throws InvalidConfigException when it cannot be had
    Secret find(SecretReference reference) {
        return switch (opened(reference)) {
            case Opened.Had(var secret) -> secret;
            case Opened.Missing(var why) -> throw new InvalidConfigException("", flaw(reference, why));
        };
    }

    /// Why it cannot be had, as [#find] says it; empty when it can.
    Optional<String> flaw(SecretReference reference) {
        return opened(reference) instanceof Opened.Missing(var why)
                ? Optional.of(flaw(reference, why))
                : Optional.empty();
    }

    private static String flaw(SecretReference reference, String why) {
        return reference + ": " + why;
    }

    /// Whether all of `used` still are what they were.
    boolean have(Map<SecretReference, Secret> used) {
        for (Map.Entry<SecretReference, Secret> each : used.entrySet()) {
            if (!(opened(each.getKey()) instanceof Opened.Had(var now))) return false;
            if (!now.equals(each.getValue())) return false;
        }
        return true;
    }

    /// The names of all files that were asked for, those that cannot be had among them.
    Set<String> files() {
        return opened.keySet().stream()
                .filter(each -> each.origin() == SecretReference.Origin.FILE)
                .map(SecretReference::name)
                .collect(Collectors.toSet());
    }

    private Opened opened(SecretReference reference) {
        return opened.computeIfAbsent(reference, this::open);
    }

    private Opened open(SecretReference reference) {
        String name = reference.name();
        try {
            return new Opened.Had(
                    switch (reference.origin()) {
                        case SECRET -> stored(name);
                        case ENV -> source.variable(name);
                        case FILE -> source.file(name);
                        case SEALED -> source.written(reference.document(), name);
                    });
        } catch (SecretUnavailableException e) {
            return new Opened.Missing(String.valueOf(e.getMessage()));
        }
    }

    private Secret stored(String id) {
        String document = definitions
                .text(new DocumentId(DocumentKind.SECRETS, id))
                .orElseThrow(() -> new SecretUnavailableException("there is no secret \"" + id + "\""));
        return source.stored(id, document);
    }
}
