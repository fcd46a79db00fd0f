package gateway.policies.message.convert;

import gateway.json.ConfigNode;
import gateway.policies.message.xml.XmlTrees;
import java.util.LinkedHashMap;
import java.util.Map;
import org.w3c.dom.Element;

/// How XML and JSON stand for each other.
///
/// @param root name of the top element, which is not in the JSON then; empty: it is
/// @param exact whether XML with another top element than `root` is refused
/// @param arrays elements that are arrays even when there is one
/// @param namespaces by the prefixes that stand for them in JSON
/// @param infers whether texts that look like them are numbers and booleans
record JsonMapping(
        JsonStyle style,
        String root,
        boolean exact,
        ArrayPlaces arrays,
        Map<String, String> namespaces,
        boolean infers,
        EmptyForm empty) {
    private static final int MOST = 100;
    private static final int LONGEST = 256;

    private enum Types {
        TEXT,
        INFER
    }

    static JsonMapping read(ConfigNode node) {
        JsonStyle style =
                node.field("style", "how elements are written as JSON").choice(JsonStyle.ATTRIBUTES_PREFIXED);
        String root = node.field("root", "name of the top element, which is not in the JSON then")
                .unlessGiven("the JSON has one member, named as it")
                .form("element name")
                .text();
        Map<String, String> namespaces =
                namespaces(node.field("namespaces", "by their prefixes in the JSON; `\"\"` for names without one"));
        requireRoot(root, namespaces, node.field("root"));
        return new JsonMapping(
                style,
                root,
                true,
                ArrayPlaces.read(
                        node.field("arrays", "elements that are arrays even when there is one, such as `/order/line`")),
                namespaces,
                node.field("types", "`infer`: texts that look like numbers or booleans become them")
                                .choice(Types.TEXT)
                        == Types.INFER,
                node.field("emptyAs", "an empty element in JSON: `\"\"`, null or `{}`")
                        .choice(EmptyForm.TEXT));
    }

    /// The same for answers, whose top element may be another one.
    ///
    /// @param onlyThey whether `root` is for them, as requests have none of it
    JsonMapping ofAnswers(ConfigNode node, boolean onlyThey) {
        ConfigNode field = node.field("responseRoot", "name of the top element of answers, where it is another one")
                .unlessGiven("`root`")
                .form("element name");
        String said = field.text();
        requireRoot(said, namespaces, field);
        boolean own = !said.isEmpty();
        return new JsonMapping(style, own ? said : root, own || onlyThey, arrays, namespaces, infers, empty);
    }

    private static void requireRoot(String root, Map<String, String> namespaces, ConfigNode field) {
        if (isRoot(root, namespaces)) return;
        field.expected("the name of an element, with a prefix that namespaces declares");
    }

    private static boolean isRoot(String root, Map<String, String> namespaces) {
        int colon = root.indexOf(':');
        if (root.length() > LONGEST || (colon >= 0 && !namespaces.containsKey(root.substring(0, colon)))) return false;
        return root.isEmpty() || XmlNames.isName(root.substring(colon + 1));
    }

    private static Map<String, String> namespaces(ConfigNode node) {
        Map<String, String> namespaces =
                new LinkedHashMap<>(node.map(each -> each.form("namespace").requiredText()));
        node.extent(0, MOST);
        if (namespaces.size() > MOST)
            node.problem("expected at most " + MOST + " namespaces, got " + namespaces.size());
        for (String prefix : namespaces.keySet()) {
            boolean sound = prefix.isEmpty() || (XmlNames.isName(prefix) && !prefix.startsWith("xml"));
            if (!sound) node.problem("expected prefixes, got \"" + prefix + '"');
        }
        return namespaces;
    }

    /// Refuses a top element that is not `root`. Where `namespaces` does not say what names without a prefix are in,
    /// those of every namespace are taken.
    ///
    /// @throws InconvertibleException when it is another one
    void requireRoot(Element top) {
        if (!exact || root.isEmpty()) return;
        int colon = root.indexOf(':');
        String namespace = namespaces.get(root.substring(0, Math.max(0, colon)));
        boolean same = XmlNames.encoded(root.substring(colon + 1)).equals(top.getLocalName())
                && (namespace == null || namespace.equals(XmlTrees.namespaceOf(top)));
        if (!same) throw new InconvertibleException("", "another element than is expected at the top");
    }

    /// What prefixes stand for at the top.
    NamespaceScope scope() {
        NamespaceScope scope = NamespaceScope.outermost().within();
        namespaces.forEach(scope::declare);
        return scope;
    }

    /// The prefix that the definition has for a namespace.
    ///
    /// @param otherwise where it has none
    String prefix(String namespace, String otherwise) {
        for (Map.Entry<String, String> each : namespaces.entrySet()) {
            if (each.getValue().equals(namespace)) return each.getKey();
        }
        return otherwise;
    }
}
