package gateway.policies.message.convert;

import gateway.json.ConfigNode;
import java.util.LinkedHashMap;
import java.util.Map;

/// How XML and JSON stand for each other.
///
/// @param root name of the top element, which is not in the JSON then; empty: it is
/// @param arrays elements that are arrays even when there is one
/// @param namespaces by the prefixes that stand for them in JSON
/// @param infers whether texts that look like them are numbers and booleans
record JsonMapping(
        JsonStyle style,
        String root,
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
        if (!isRoot(root, namespaces)) {
            node.field("root").problem("expected the name of an element, with a prefix that namespaces declares");
        }
        return new JsonMapping(
                style,
                root,
                ArrayPlaces.read(
                        node.field("arrays", "elements that are arrays even when there is one, such as `/order/line`")),
                namespaces,
                node.field("types", "`infer`: texts that look like numbers or booleans become them")
                                .choice(Types.TEXT)
                        == Types.INFER,
                node.field("emptyAs", "an empty element in JSON: `\"\"`, null or `{}`")
                        .choice(EmptyForm.TEXT));
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
        if (namespaces.size() > MOST) node.problem("expected at most " + MOST + " namespaces");
        for (String prefix : namespaces.keySet()) {
            boolean sound = prefix.isEmpty() || (XmlNames.isName(prefix) && !prefix.startsWith("xml"));
            if (!sound) node.problem("expected prefixes, got \"" + prefix + '"');
        }
        return namespaces;
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
