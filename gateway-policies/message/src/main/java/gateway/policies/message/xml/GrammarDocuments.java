package gateway.policies.message.xml;

import gateway.json.ConfigProblem;
import gateway.policies.message.xml.GrammarDocument.Link;
import gateway.policies.message.xml.GrammarDocument.Reference;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSInput;
import org.w3c.dom.ls.LSResourceResolver;

/// The schema documents of one definition, as the compiler of grammars asks for them. It is given a driver that imports
/// each namespace; what stands for a namespace includes each document that has it. So a namespace may be spread over
/// several documents, whatever their order, and nothing is asked for that the definition does not name.
final class GrammarDocuments implements LSResourceResolver {
    private static final String BASE = "gateway:/";
    private static final String DRIVER = BASE + "driver";
    private static final String NAMESPACE = "namespace-";
    private static final String DOCUMENT = "document-";
    private static final Pattern NAMED = Pattern.compile(BASE + "(?:" + DOCUMENT + "([0-9]+)|[a-z]+(?:-[0-9]+)?)");

    /// Of the attributes `xml:lang` and the like, which many schemas import from a document with a DOCTYPE.
    private static final String XML_ATTRIBUTES = """
            <xs:schema targetNamespace="http://www.w3.org/XML/1998/namespace"
                       xmlns:xs="http://www.w3.org/2001/XMLSchema">
              <xs:attribute name="lang" type="xs:language"/>
              <xs:attribute name="space">
                <xs:simpleType><xs:restriction base="xs:NCName">
                  <xs:enumeration value="default"/><xs:enumeration value="preserve"/>
                </xs:restriction></xs:simpleType>
              </xs:attribute>
              <xs:attribute name="base" type="xs:anyURI"/>
              <xs:attribute name="id" type="xs:ID"/>
              <xs:attributeGroup name="specialAttrs">
                <xs:attribute ref="xml:base"/><xs:attribute ref="xml:lang"/>
                <xs:attribute ref="xml:space"/><xs:attribute ref="xml:id"/>
              </xs:attributeGroup>
            </xs:schema>""";

    private final List<GrammarDocument> documents;
    private final DOMImplementationLS inputs;
    private final Map<String, List<GrammarDocument>> byNamespace = new LinkedHashMap<>();
    private final List<String> namespaces;

    /// @param documents one at least
    GrammarDocuments(List<GrammarDocument> documents) {
        this.documents = List.copyOf(documents);
        this.inputs = (DOMImplementationLS) documents
                .getFirst()
                .schema()
                .getOwnerDocument()
                .getImplementation()
                .getFeature("LS", "3.0");
        Set<GrammarDocument> parts = partsOfOthers();
        for (GrammarDocument each : documents) {
            if (parts.contains(each)) continue;
            byNamespace
                    .computeIfAbsent(each.namespace(), _ -> new ArrayList<>())
                    .add(each);
        }
        this.namespaces = List.copyOf(byNamespace.keySet());
    }

    /// Those that have no namespace but that of who includes them, and those that others say anew.
    private Set<GrammarDocument> partsOfOthers() {
        var parts = new HashSet<GrammarDocument>();
        for (GrammarDocument each : documents) {
            for (Reference reference : each.references()) {
                if (reference.link() == Link.IMPORT) continue;
                Optional<GrammarDocument> part = byName(reference.location());
                if (part.isEmpty()) continue;
                boolean lent = !part.get().namespace().equals(each.namespace());
                if (lent || reference.link() == Link.REDEFINE) parts.add(part.get());
            }
        }
        return parts;
    }

    /// Its own, or those of the documents that include one without.
    Set<String> namespacesOf(GrammarDocument document) {
        if (!document.namespace().isEmpty()) return Set.of(document.namespace());
        var lent = new HashSet<String>();
        for (GrammarDocument each : documents) {
            for (Reference reference : each.references()) {
                boolean includes = reference.link() != Link.IMPORT;
                if (includes && byName(reference.location()).stream().anyMatch(document::equals)) {
                    lent.add(each.namespace());
                }
            }
        }
        return lent.isEmpty() ? Set.of("") : lent;
    }

    /// What leads to no document of the definition.
    List<ConfigProblem> unresolved() {
        var problems = new ArrayList<ConfigProblem>();
        for (GrammarDocument each : documents) {
            for (Reference reference : each.references()) {
                if (leadsSomewhere(reference)) continue;
                problems.add(new ConfigProblem(
                        each.pointer(),
                        "\"" + each.id() + "\" " + missing(reference)
                                + ": store it as a resource and name it in \"schemas\""));
            }
        }
        return problems;
    }

    private static String missing(Reference reference) {
        String location = reference.location();
        if (reference.link() != Link.IMPORT)
            return "includes \"" + location + "\", which is none of the named documents";
        String place = location.isEmpty() ? "" : " (schemaLocation \"" + location + "\")";
        return "imports the namespace \"" + reference.namespace() + '"' + place
                + ", which none of the named documents has";
    }

    private boolean leadsSomewhere(Reference reference) {
        if (reference.link() != Link.IMPORT) return byName(reference.location()).isPresent();
        return byNamespace.containsKey(reference.namespace())
                || reference.namespace().equals(XMLConstants.XML_NS_URI)
                || reference.namespace().equals(GrammarDocument.XSD);
    }

    private Optional<GrammarDocument> byName(String location) {
        String name = location.substring(location.lastIndexOf('/') + 1);
        return documents.stream()
                .filter(each -> each.id().equals(location) || each.id().equals(name))
                .findFirst();
    }

    /// What the compiler begins with.
    Source driver() {
        var text = new StringBuilder(
                "<xs:schema xmlns:xs=\"" + GrammarDocument.XSD + "\" targetNamespace=\"urn:gateway\">");
        for (int i = 0; i < namespaces.size(); i++) {
            text.append("<xs:import schemaLocation=\"")
                    .append(NAMESPACE)
                    .append(i)
                    .append('"');
            if (!namespaces.get(i).isEmpty()) addNamespace("namespace", namespaces.get(i), text);
            text.append("/>");
        }
        return new StreamSource(new StringReader(text.append("</xs:schema>").toString()), DRIVER);
    }

    /// What the compiler says, with documents called as the definition does.
    String told(String said) {
        return NAMED.matcher(said).replaceAll(found -> {
            String number = found.group(1);
            String name = number == null
                    ? "all schemas"
                    : documents.get(Integer.parseInt(number)).id();
            return Matcher.quoteReplacement(name);
        });
    }

    /// Which of the documents the compiler means.
    Optional<GrammarDocument> at(@Nullable String systemId) {
        String prefix = BASE + DOCUMENT;
        if (systemId == null || !systemId.startsWith(prefix)) return Optional.empty();
        return Optional.of(documents.get(Integer.parseInt(systemId.substring(prefix.length()))));
    }

    @Override
    public LSInput resolveResource(
            String type,
            @Nullable String namespace,
            @Nullable String publicId,
            @Nullable String location,
            @Nullable String base) {
        String wanted = namespace == null ? "" : namespace;
        if (location != null && location.startsWith(DOCUMENT)) {
            return input(documents.get(Integer.parseInt(location.substring(DOCUMENT.length()))));
        }
        Optional<GrammarDocument> asking = at(base);
        if (location != null && asking.isPresent() && asking.get().includes(location)) {
            return input(byName(location).orElseThrow());
        }
        int place = namespaces.indexOf(wanted);
        if (place >= 0) return input(NAMESPACE + place, including(wanted));
        return input("attributes", XML_ATTRIBUTES); // since `unresolved` tells all others
    }

    private String including(String namespace) {
        var text = new StringBuilder("<xs:schema xmlns:xs=\"" + GrammarDocument.XSD + '"');
        if (!namespace.isEmpty()) addNamespace("targetNamespace", namespace, text);
        text.append('>');
        for (GrammarDocument each : byNamespace.getOrDefault(namespace, List.of())) {
            text.append("<xs:include schemaLocation=\"")
                    .append(DOCUMENT)
                    .append(documents.indexOf(each))
                    .append("\"/>");
        }
        return text.append("</xs:schema>").toString();
    }

    private static void addNamespace(String attribute, String namespace, StringBuilder text) {
        text.append(' ').append(attribute).append("=\"");
        XmlEscapes.attribute(namespace, text);
        text.append('"');
    }

    private LSInput input(GrammarDocument document) {
        return input(DOCUMENT + documents.indexOf(document), document.content());
    }

    private LSInput input(String name, String text) {
        return input(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private LSInput input(String name, byte[] content) {
        LSInput input = inputs.createLSInput();
        input.setSystemId(BASE + name);
        input.setByteStream(new ByteArrayInputStream(content));
        return input;
    }
}
