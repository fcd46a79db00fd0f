package gateway.app.secrets;

import gateway.config.DefinitionReader;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.key.PlanJson;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.SecretUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The secrets that documents of all kinds hold themselves: as people write them, a text, as they are kept,
/// `{"sealed": "…"}`, and as they are shown, `{"masked": "<8 hex>"}`. One is sealed for its document: in another it
/// does not open. Within its document it may move, as lists are edited by hand.
public final class DefinitionSecrets {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionSecrets.class);

    private final SecretDocuments documents;
    private final DefinitionReader reader;
    private final Set<DocumentId> told = ConcurrentHashMap.newKeySet(); // of files in the clear

    /// @param documents those of the kind that is nothing but secrets
    /// @param reader says where the others have theirs
    public DefinitionSecrets(SecretDocuments documents, DefinitionReader reader) {
        this.documents = documents;
        this.reader = reader;
    }

    /// What became of sealing the secrets of one document anew.
    ///
    /// @param secrets how many it has
    /// @param anew how many of them another key had sealed
    /// @param problems those that no key at hand opens, which are as they were
    public record Resealed(String text, int secrets, int anew, List<ConfigProblem> problems) {
        public Resealed {
            problems = List.copyOf(problems);
        }
    }

    public SecretDocuments documents() {
        return documents;
    }

    /// The text to keep of what somebody wrote. A mask stands for what is kept behind the same pointer. What cannot be
    /// kept says so in its place: it is a problem there for whoever compiles the document.
    ///
    /// @param before what is kept by this id now
    /// @throws InvalidConfigException for what would be taken for sealed where no secret is wanted, and for what is
    ///     wrong with a document of secrets, neither of which repeats a value, or with a plan
    public String kept(DocumentId id, JsonNode written, Optional<String> before) {
        return kept(new SecretSealing(documents.keys()::seal, id), written, before);
    }

    /// The same, for a rehearsal: whoever may rehearse and not write learns nothing of whether a text that he gives is
    /// the one behind a mask.
    public String rehearsed(DocumentId id, JsonNode written, Optional<String> before) {
        return kept(new SecretSealing(documents.keys()::sealAfresh, id), written, before);
    }

    private String kept(SecretSealing sealing, JsonNode written, Optional<String> before) {
        DocumentId id = sealing.id();
        if (id.kind() == DocumentKind.SECRETS) return documents.sealed(id.id(), written, before);
        if (id.kind() == DocumentKind.PLANS) requireSoundPlan(written);
        List<String> places = places(id, written);
        SecretSealing.requireNoStrayEnvelope(written, places);
        return sealing.sealed(written, places, before);
    }

    /// What is stored may name methods that there are not; what is written may not.
    private static void requireSoundPlan(JsonNode written) {
        ConfigNode node = ConfigNode.of(written);
        PlanJson.read(node);
        node.throwIfInvalid();
    }

    /// What is kept of a document that was found in a file. A mask in a file stands for nothing.
    public String found(DocumentId id, String text) {
        if (id.kind() == DocumentKind.SECRETS) return documents.found(id, text);
        JsonNode written = Json.parse(text);
        var sealing = new SecretSealing(documents.keys()::seal, id);
        List<String> clear = places(id, written).stream()
                .filter(place -> written.at(place).isString())
                .toList();
        if (clear.isEmpty()) return text;
        if (told.add(id)) {
            LOG.warn(
                    "the file of {} holds a secret in the clear; it is kept sealed everywhere else, and there when the"
                            + " admin API writes it",
                    id);
        }
        return sealing.sealed(written, clear, Optional.empty());
    }

    /// What may be shown of a document.
    public JsonNode shown(DocumentId id, String text) {
        if (id.kind() == DocumentKind.SECRETS) return documents.shown(id.id(), text);
        return SealedValues.replaced(Json.parse(text), (_, envelope) -> masked(envelope));
    }

    /// Whether it asks for variables or files of the process: whether they are there is not for everyone.
    public boolean asksProcess(DocumentId id, JsonNode written) {
        return places(id, written).stream().map(written::at).anyMatch(found -> found.has("env") || found.has("file"));
    }

    /// The same document under the key that seals now.
    public Resealed resealed(DocumentId id, String text) {
        if (id.kind() == DocumentKind.SECRETS) return resealedDocument(id, text);
        var counts = new int[2];
        var problems = new ArrayList<ConfigProblem>();
        JsonNode after = SealedValues.replaced(Json.parse(text), (pointer, envelope) -> {
            counts[0]++;
            if (documents.keys().isCurrent(envelope)) return sealed(envelope);
            try {
                String plain = documents.keys().open(id.toString(), envelope);
                counts[1]++;
                return sealed(documents.keys().seal(id.toString(), plain));
            } catch (SecretUnavailableException e) {
                problems.add(new ConfigProblem(id.pointer() + pointer, String.valueOf(e.getMessage())));
                return sealed(envelope);
            }
        });
        return new Resealed(counts[1] == 0 ? text : Json.pretty(after), counts[0], counts[1], problems);
    }

    private Resealed resealedDocument(DocumentId id, String text) {
        try {
            Optional<String> after = documents.resealed(id.id(), text);
            return new Resealed(after.orElse(text), 1, after.isPresent() ? 1 : 0, List.of());
        } catch (SecretUnavailableException e) {
            var problem = new ConfigProblem(id.pointer(), String.valueOf(e.getMessage()));
            return new Resealed(text, 1, 0, List.of(problem));
        }
    }

    private List<String> places(DocumentId id, JsonNode written) {
        return written.isObject() ? reader.secrets(id.kind(), written) : List.of();
    }

    private static ObjectNode sealed(String envelope) {
        return Json.mapper().createObjectNode().put(SecretReader.SEALED, envelope);
    }

    private static ObjectNode masked(String envelope) {
        return Json.mapper().createObjectNode().put(SecretReader.MASKED, SecretDocuments.mask(envelope));
    }
}
