package gateway.policies.message.xml;

import gateway.json.InvalidConfigException;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import javax.xml.XMLConstants;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// One schema document among those of a definition, as far as it has to be known before it is compiled.
///
/// @param pointer where the definition names it
/// @param id of the resource, by which others include it
/// @param namespace its target namespace; empty: none
/// @param content as the compiler reads it
@SuppressWarnings("ArrayRecordComponent") // handed on within the package; the same array or another document
record GrammarDocument(String pointer, String id, byte[] content, String namespace, Element schema) {
    static final String XSD = XMLConstants.W3C_XML_SCHEMA_NS_URI;

    /// How a document refers to another one.
    enum Link {
        IMPORT,
        INCLUDE,
        /// As an include, but for what is said anew.
        REDEFINE
    }

    /// @param namespace of an import; an include has that of its document
    /// @param location empty: none is said
    record Reference(Link link, String namespace, String location) {}

    /// @throws InvalidConfigException under `pointer` when it is none
    static GrammarDocument of(String pointer, String id, byte[] content) {
        Element root = root(pointer, id, content);
        if (!XmlTrees.is(root, XSD, "schema")) {
            throw new InvalidConfigException(pointer, "expected an XML Schema in the resource \"" + id + '"');
        }
        return new GrammarDocument(pointer, id, content, root.getAttribute("targetNamespace"), root);
    }

    /// One that stands within another document.
    static GrammarDocument within(String pointer, String id, Element schema) {
        byte[] content = SchemaText.of(schema).getBytes(StandardCharsets.UTF_8);
        return new GrammarDocument(pointer, id, content, schema.getAttribute("targetNamespace"), schema);
    }

    /// The root element of a resource.
    ///
    /// @throws InvalidConfigException under `pointer` when it is no XML
    static Element root(String pointer, String id, byte[] content) {
        try {
            return Xml.document(content).getDocumentElement();
        } catch (BadXmlException e) {
            throw new InvalidConfigException(
                    pointer, "expected XML that is taken in the resource \"" + id + "\": " + e.getMessage());
        }
    }

    List<Reference> references() {
        var references = new ArrayList<Reference>();
        for (Element each : XmlTrees.children(schema)) {
            if (!XmlTrees.namespaceOf(each).equals(XSD)) continue;
            String location = each.getAttribute("schemaLocation");
            switch (each.getLocalName()) {
                case "import" -> references.add(new Reference(Link.IMPORT, each.getAttribute("namespace"), location));
                case "include" -> references.add(new Reference(Link.INCLUDE, namespace, location));
                case "redefine" -> references.add(new Reference(Link.REDEFINE, namespace, location));
                default -> {}
            }
        }
        return references;
    }

    boolean includes(String location) {
        return references().stream()
                .anyMatch(each -> each.link() != Link.IMPORT && each.location().equals(location));
    }

    /// Names of the elements that may stand at the top.
    List<String> globals() {
        return XmlTrees.children(schema, XSD, "element").stream()
                .map(each -> each.getAttribute("name"))
                .toList();
    }

    /// Whether it has values that take a validator longer than their length says: of patterns, and lists of types of
    /// its own, which may be unions or enumerations.
    boolean hasSlowTexts() {
        return schema.getElementsByTagNameNS(XSD, "pattern").getLength() > 0
                || largest("list", list -> isOfBuiltIn(list) ? 0 : 1) > 0;
    }

    private static boolean isOfBuiltIn(Element list) {
        String item = list.getAttribute("itemType");
        int colon = item.indexOf(':');
        return !item.isEmpty() && XSD.equals(list.lookupNamespaceURI(colon < 0 ? null : item.substring(0, colon)));
    }

    /// Whether it may compare durations.
    boolean hasDurations() {
        return SchemaText.of(schema).contains("duration") || !keyed().isEmpty();
    }

    /// What the elements with that name are at most.
    ///
    /// @param name of XML Schema
    long largest(String name, ToLongFunction<Element> size) {
        return all(name).stream().mapToLong(size).max().orElse(0);
    }

    /// The elements with that name, wherever they stand.
    ///
    /// @param name of XML Schema
    List<Element> all(String name) {
        var found = schema.getElementsByTagNameNS(XSD, name);
        var all = new ArrayList<Element>();
        for (int i = 0; i < found.getLength(); i++) if (found.item(i) instanceof Element each) all.add(each);
        return all;
    }

    /// The same with patterns that take no more ways than their texts have places, see [RememberingPattern].
    GrammarDocument remembering() {
        var patterns = schema.getElementsByTagNameNS(XSD, "pattern");
        boolean changed = false;
        for (int i = 0; i < patterns.getLength(); i++) {
            if (!(patterns.item(i) instanceof Element each)) continue;
            String pattern = each.getAttribute("value");
            String remembering = RememberingPattern.of(pattern);
            if (remembering.equals(pattern)) continue;
            each.setAttribute("value", remembering);
            changed = true;
        }
        if (!changed) return this;
        return new GrammarDocument(
                pointer, id, SchemaText.of(schema).getBytes(StandardCharsets.UTF_8), namespace, schema);
    }

    /// How many identity constraints select elements of a local name, `*` for any.
    Map<String, Integer> keyed() {
        var selectors = schema.getElementsByTagNameNS(XSD, "selector");
        var names = new HashMap<String, Integer>();
        for (int i = 0; i < selectors.getLength(); i++) addSelected(selectors.item(i), names);
        return names;
    }

    private static void addSelected(Node selector, Map<String, Integer> names) {
        if (!(selector instanceof Element element)) return;
        for (String path : element.getAttribute("xpath").split("\\|", -1)) {
            String last = path.substring(path.lastIndexOf('/') + 1).strip();
            String local = last.substring(last.lastIndexOf(':') + 1);
            names.merge(local.equals(".") ? "*" : local, 1, Integer::sum);
        }
    }
}
