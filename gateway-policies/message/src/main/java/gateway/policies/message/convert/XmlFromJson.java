package gateway.policies.message.convert;

import gateway.json.TextCut;
import gateway.policies.message.xml.XmlEscapes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import javax.xml.XMLConstants;
import tools.jackson.databind.JsonNode;

/// Says JSON as an element. Used by one thread for one message.
final class XmlFromJson {
    private static final Set<String> PLACES = Set.of("schemaLocation", "noNamespaceSchemaLocation");

    /// What readers that know it put other documents in the place of (XML Inclusions 1.0 §3.1).
    private static final String XINCLUDE = "http://www.w3.org/2001/XInclude";

    private static final int LONGEST = 256; // characters of a name, as readers of XML take them

    private final JsonMapping mapping;
    private final XmlWriting text;
    private final Deque<String> path = new ArrayDeque<>();

    private XmlFromJson(JsonMapping mapping, XmlWriting text) {
        this.mapping = mapping;
        this.text = text;
    }

    /// @param text that the element is added to
    /// @throws InconvertibleException when it is none
    static void write(JsonNode json, JsonMapping mapping, XmlWriting text) {
        var writer = new XmlFromJson(mapping, text);
        NamespaceScope scope = NamespaceScope.outermost().within();
        mapping.namespaces().forEach(scope::declare);
        if (!mapping.root().isEmpty()) {
            writer.element(mapping.root(), json, scope);
            return;
        }
        if (!json.isObject() || json.size() != 1) throw writer.wrong("expected an object with one member");
        String name = json.propertyNames().iterator().next();
        JsonNode top = json.get(name);
        writer.path.addLast(name);
        writer.element(name, top.isArray() && top.size() == 1 ? top.get(0) : top, scope);
    }

    private InconvertibleException wrong(String why) {
        var pointer = new StringBuilder();
        for (String each : path) {
            String told = TextCut.told(each, LONGEST);
            pointer.append('/').append(told.replace("~", "~0").replace("/", "~1"));
        }
        return new InconvertibleException(pointer.toString(), why);
    }

    /// @param scope of the element, with what is declared there whatever it says itself
    private void element(String name, JsonNode json, NamespaceScope scope) {
        if (json.isArray()) throw wrong("an array in the place of one element");
        boolean hasMembers = json.isObject();
        if (hasMembers) declare(json, scope);
        String tag = name(name, scope);
        text.markup("<").markup(tag);
        scope.declared().forEach((prefix, uri) -> text.attribute(prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix, uri));
        if (hasMembers) attributes(json, scope);
        text.markup(">");
        if (hasMembers) members(json, scope);
        else text.text(scalar(json));
        text.markup("</").markup(tag).markup(">");
    }

    private void declare(JsonNode json, NamespaceScope scope) {
        if (!mapping.style().hasAttributes()) return;
        for (String name : json.propertyNames()) {
            if (name.equals(JsonStyle.NAMESPACE) && json.get(name).isObject()) {
                JsonNode all = json.get(name);
                for (String prefix : all.propertyNames()) {
                    declare(prefix.equals("$") ? "" : prefix, all.get(prefix), scope);
                }
            } else if (name.equals(JsonStyle.NAMESPACE)) {
                declare("", json.get(name), scope);
            } else if (name.startsWith(JsonStyle.NAMESPACE + ':')) {
                declare(name.substring(JsonStyle.NAMESPACE.length() + 1), json.get(name), scope);
            }
        }
    }

    private void declare(String prefix, JsonNode namespace, NamespaceScope scope) {
        if (prefix.length() > LONGEST) throw tooLong();
        String uri = scalar(namespace);
        boolean sound = prefix.isEmpty() || (XmlNames.isName(prefix) && !prefix.startsWith("xml") && !uri.isEmpty());
        boolean known = uri.equals(XMLConstants.XMLNS_ATTRIBUTE_NS_URI) || uri.equals(XMLConstants.XML_NS_URI);
        if (!sound || known) throw wrong("expected a prefix and a namespace that may be declared");
        if (uri.equals(XINCLUDE)) throw wrong("a namespace of elements that name places");
        if (!mapping.namespaces().getOrDefault(prefix, uri).equals(uri)) {
            throw wrong("another namespace for a prefix that is configured");
        }
        scope.declare(prefix, uri);
    }

    private void attributes(JsonNode json, NamespaceScope scope) {
        if (!mapping.style().hasAttributes()) return;
        var written = new HashSet<String>();
        for (String name : json.propertyNames()) {
            if (!name.startsWith(JsonStyle.ATTRIBUTE) || isDeclaration(name)) continue;
            path.addLast(name);
            String tag = name(name.substring(1), scope);
            int colon = tag.indexOf(':');
            String uri = colon < 0 ? "" : scope.uri(tag.substring(0, colon)).orElse("");
            String local = tag.substring(colon + 1);
            if (isPlace(uri, local)) throw wrong("an attribute that names a place");
            if (!written.add(uri + ' ' + local)) throw wrong("an attribute that is there twice");
            text.attribute(tag, scalar(json.get(name)));
            path.removeLast();
        }
    }

    private static boolean isDeclaration(String name) {
        return name.equals(JsonStyle.NAMESPACE) || name.startsWith(JsonStyle.NAMESPACE + ':');
    }

    private static boolean isPlace(String uri, String local) {
        return (uri.equals(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI) && PLACES.contains(local))
                || (uri.equals(XMLConstants.XML_NS_URI) && local.equals("base"));
    }

    private void members(JsonNode json, NamespaceScope scope) {
        for (String name : json.propertyNames()) {
            if (mapping.style().hasAttributes() && name.startsWith(JsonStyle.ATTRIBUTE)) continue;
            path.addLast(name);
            JsonNode member = json.get(name);
            if (name.equals(mapping.style().text())) text.text(scalar(member));
            else if (member.isArray()) member.forEach(each -> element(name, each, scope.within()));
            else element(name, member, scope.within());
            path.removeLast();
        }
    }

    private String name(String name, NamespaceScope scope) {
        if (name.isEmpty()) throw wrong("a name that is empty");
        if (name.length() > LONGEST) throw tooLong();
        int colon = name.indexOf(':');
        if (colon < 0) return bounded(XmlNames.encoded(name));
        String prefix = name.substring(0, colon);
        boolean known = !prefix.isEmpty() && scope.uri(prefix).isPresent();
        if (!known || colon + 1 == name.length()) throw wrong("a prefix that no namespace is declared for");
        return bounded(prefix + ':' + XmlNames.encoded(name.substring(colon + 1)));
    }

    private String bounded(String tag) {
        if (tag.length() > LONGEST) throw tooLong();
        return tag;
    }

    private InconvertibleException tooLong() {
        return wrong("a name of more than " + LONGEST + " characters");
    }

    private String scalar(JsonNode json) {
        if (json.isContainer()) throw wrong("expected a text, a number or a boolean");
        String value = json.isNull() ? "" : json.asString();
        if (!XmlEscapes.isWritable(value)) throw wrong("a character that XML does not have");
        return value;
    }
}
