package gateway.policies.message.xml;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.xml.Xml;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.xml.sax.SAXException;

/// Schema documents compiled: by many threads at once.
///
/// @param globals names that a document may have at its top
/// @param hasSlowTexts whether there are values that take longer than their length says
/// @param hasDurations whether values may be compared as durations
/// @param keyed how many identity constraints select elements of a local name, `*` for any
record XmlGrammar(
        Schema schema, Set<XmlName> globals, boolean hasSlowTexts, boolean hasDurations, Map<String, Integer> keyed) {
    XmlGrammar {
        globals = Set.copyOf(globals);
        keyed = Map.copyOf(keyed);
    }

    /// @param documents one at least
    /// @throws InvalidConfigException with what is wrong with them, each under the pointer of its document
    static XmlGrammar of(List<GrammarDocument> documents) {
        String pointer = documents.getFirst().pointer();
        try {
            return of(documents, pointer);
        } catch (StackOverflowError e) {
            throw new InvalidConfigException(pointer, "nested too deeply, or a choice of too many elements");
        }
    }

    private static XmlGrammar of(List<GrammarDocument> documents, String pointer) {
        var set = new GrammarDocuments(documents);
        List<ConfigProblem> unresolved = set.unresolved();
        if (!unresolved.isEmpty()) throw new InvalidConfigException(unresolved);
        List<ConfigProblem> tooLarge = GrammarSizes.problems(documents);
        if (!tooLarge.isEmpty()) throw new InvalidConfigException(tooLarge);
        Schema schema = compiled(set, pointer); // as written, to tell what is wrong there
        List<GrammarDocument> remembering =
                documents.stream().map(GrammarDocument::remembering).toList();
        if (!remembering.equals(documents)) schema = compiled(new GrammarDocuments(remembering), pointer);
        var globals = new HashSet<XmlName>();
        var keyed = new HashMap<String, Integer>();
        for (GrammarDocument each : documents) {
            for (String namespace : set.namespacesOf(each)) {
                for (String name : each.globals()) globals.add(new XmlName(namespace, name));
            }
            each.keyed().forEach((name, count) -> keyed.merge(name, count, Integer::sum));
        }
        boolean hasSlowTexts = documents.stream().anyMatch(GrammarDocument::hasSlowTexts);
        boolean hasDurations = documents.stream().anyMatch(GrammarDocument::hasDurations);
        return new XmlGrammar(schema, globals, hasSlowTexts, hasDurations, keyed);
    }

    private static Schema compiled(GrammarDocuments documents, String pointer) {
        SchemaFactory factory = Xml.grammars();
        var errors = new GrammarErrors(documents);
        factory.setErrorHandler(errors);
        factory.setResourceResolver(documents);
        try {
            Schema schema = factory.newSchema(documents.driver());
            if (errors.problems().isEmpty()) return schema;
        } catch (SAXException e) {
            if (errors.problems().isEmpty()) {
                throw new InvalidConfigException(pointer, documents.told(String.valueOf(e.getMessage())));
            }
        }
        throw new InvalidConfigException(errors.problems());
    }

    /// How many identity constraints may select an element.
    int constraints(String localName) {
        return keyed.isEmpty() ? 0 : keyed.getOrDefault(localName, 0) + keyed.getOrDefault("*", 0);
    }
}
