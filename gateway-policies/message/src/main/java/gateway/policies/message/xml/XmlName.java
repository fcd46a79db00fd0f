package gateway.policies.message.xml;

import gateway.json.ConfigNode;
import java.util.Map;
import java.util.regex.Pattern;

/// The name of an element.
///
/// @param namespace empty: none
record XmlName(String namespace, String local) {
    private static final String PART = "[\\p{L}_][\\p{L}\\p{N}._-]{0,255}";
    private static final Pattern FORM = Pattern.compile("(?:(" + PART + "):)?(" + PART + ")");

    /// Of a text such as `o:order`; without a prefix it is in the namespace of the prefix `""`, if that is declared.
    static XmlName read(String text, Map<String, String> namespaces, ConfigNode node) {
        var found = FORM.matcher(text);
        if (!found.matches()) {
            node.problem("expected the name of an element such as order or o:order, got \"" + text + "\"");
            return new XmlName("", text);
        }
        String prefix = found.group(1) == null ? "" : found.group(1);
        String namespace = namespaces.get(prefix);
        if (namespace == null && !prefix.isEmpty()) {
            node.problem("expected a prefix that namespaces declares, got \"" + prefix + "\"");
        }
        return new XmlName(namespace == null ? "" : namespace, found.group(2));
    }

    /// The namespaces that prefixes of a definition stand for.
    static Map<String, String> namespaces(ConfigNode node) {
        Map<String, String> namespaces = node.map(each -> each.form("namespace").requiredText());
        node.extent(0, 100);
        if (namespaces.size() > 100) node.problem("expected at most 100 namespaces, got " + namespaces.size());
        return namespaces;
    }

    boolean is(String otherNamespace, String otherLocal) {
        return local.equals(otherLocal) && namespace.equals(otherNamespace);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? local : "{" + namespace + "}" + local;
    }
}
