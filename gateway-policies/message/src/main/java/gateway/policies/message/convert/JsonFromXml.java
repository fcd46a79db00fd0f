package gateway.policies.message.convert;

import gateway.json.Json;
import gateway.policies.message.xml.XmlTrees;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.Text;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Says an element as JSON. Used by one thread for one message.
final class JsonFromXml {
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?");
    private static final int LONGEST_NUMBER = 100; // characters; the time to read one grows with the square of them

    private final JsonMapping mapping;

    private JsonFromXml(JsonMapping mapping) {
        this.mapping = mapping;
    }

    static JsonNode of(Element top, JsonMapping mapping) {
        var writer = new JsonFromXml(mapping);
        NamespaceScope scope = mapping.scope().within();
        String name = writer.name(top, scope);
        @Nullable ArrayPlaces place = mapping.arrays().below(name);
        JsonNode value = writer.value(top, place, scope);
        if (!mapping.root().isEmpty() || !mapping.style().hasAttributes()) return value;
        ObjectNode document = Json.mapper().createObjectNode();
        boolean array = place != null && place.isArray();
        document.set(name, array ? Json.mapper().createArrayNode().add(value) : value);
        return document;
    }

    /// @param scope of the element, with what its name needs
    private JsonNode value(Element element, @Nullable ArrayPlaces place, NamespaceScope scope) {
        ObjectNode members = Json.mapper().createObjectNode();
        if (mapping.style().hasAttributes()) attributes(element, members, scope);
        var text = new StringBuilder();
        boolean hasElements = false;
        for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (each instanceof Text part) text.append(part.getData());
            else if (each instanceof Element child) {
                hasElements = true;
                add(child, place, members, scope);
            }
        }
        declarations(members, scope);
        if (hasElements && text.toString().isBlank()) text.setLength(0);
        boolean plain = members.isEmpty() && mapping.style() != JsonStyle.BADGERFISH;
        if (plain && !hasElements) return text.isEmpty() ? mapping.empty().json() : scalar(text.toString());
        if (text.isEmpty() || mapping.style().text().isEmpty()) {
            return members.isEmpty() && !hasElements ? mapping.empty().json() : members;
        }
        return members.set(mapping.style().text(), scalar(text.toString()));
    }

    private void add(Element child, @Nullable ArrayPlaces place, ObjectNode members, NamespaceScope around) {
        NamespaceScope scope = around.within();
        String name = name(child, scope);
        @Nullable ArrayPlaces below = place == null ? null : place.below(name);
        JsonNode value = value(child, below, scope);
        @Nullable JsonNode there = members.get(name);
        if (there instanceof ArrayNode array) array.add(value);
        else if (there != null)
            members.set(name, Json.mapper().createArrayNode().add(there).add(value));
        else if (below != null && below.isArray())
            members.set(name, Json.mapper().createArrayNode().add(value));
        else members.set(name, value);
    }

    private void attributes(Element element, ObjectNode members, NamespaceScope scope) {
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            var each = (Attr) attributes.item(i);
            if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(each.getNamespaceURI())) continue;
            String prefix = "";
            if (!XmlTrees.namespaceOf(each).isEmpty()) {
                String own = each.getPrefix() == null ? "" : each.getPrefix();
                String said = mapping.prefix(XmlTrees.namespaceOf(each), own);
                prefix = said.isEmpty() ? own : said;
                bind(prefix, XmlTrees.namespaceOf(each), scope);
            }
            String name = XmlNames.decoded(String.valueOf(each.getLocalName()));
            members.set(JsonStyle.ATTRIBUTE + (prefix.isEmpty() ? name : prefix + ':' + name), scalar(each.getValue()));
        }
    }

    private String name(Element element, NamespaceScope scope) {
        String local = XmlNames.decoded(String.valueOf(element.getLocalName()));
        if (!mapping.style().hasAttributes()) return local;
        String own = element.getPrefix() == null ? "" : element.getPrefix();
        String prefix = mapping.prefix(XmlTrees.namespaceOf(element), own);
        bind(prefix, XmlTrees.namespaceOf(element), scope);
        return prefix.isEmpty() ? local : prefix + ':' + local;
    }

    private static void bind(String prefix, String uri, NamespaceScope scope) {
        if (scope.uri(prefix).filter(uri::equals).isPresent()) return;
        if (scope.declared().containsKey(prefix)) {
            throw new InconvertibleException("", "a prefix that stands for two namespaces in one element");
        }
        scope.declare(prefix, uri);
    }

    private void declarations(ObjectNode members, NamespaceScope scope) {
        if (scope.declared().isEmpty()) return;
        if (mapping.style() == JsonStyle.BADGERFISH) {
            ObjectNode all = Json.mapper().createObjectNode();
            scope.declared().forEach((prefix, uri) -> all.put(prefix.isEmpty() ? "$" : prefix, uri));
            members.set(JsonStyle.NAMESPACE, all);
            return;
        }
        scope.declared()
                .forEach((prefix, uri) ->
                        members.put(prefix.isEmpty() ? JsonStyle.NAMESPACE : JsonStyle.NAMESPACE + ':' + prefix, uri));
    }

    private JsonNode scalar(String text) {
        var nodes = Json.mapper().getNodeFactory();
        if (!mapping.infers()) return nodes.stringNode(text);
        if (text.equals("true") || text.equals("false")) return nodes.booleanNode(text.equals("true"));
        if (text.length() > LONGEST_NUMBER || !NUMBER.matcher(text).matches()) return nodes.stringNode(text);
        var number = new BigDecimal(text);
        if (!number.toPlainString().equals(text)) return nodes.stringNode(text); // -0
        return number.scale() == 0 ? nodes.numberNode(number.toBigInteger()) : nodes.numberNode(number);
    }
}
