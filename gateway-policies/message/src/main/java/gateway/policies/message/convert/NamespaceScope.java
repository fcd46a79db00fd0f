package gateway.policies.message.convert;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;

/// What prefixes stand for within one element. Used by one thread.
final class NamespaceScope {
    private final @Nullable NamespaceScope around;
    private final Map<String, String> declared = new LinkedHashMap<>(4); // here, by prefix

    private NamespaceScope(@Nullable NamespaceScope around) {
        this.around = around;
    }

    /// Where nothing is declared but `xml`.
    static NamespaceScope outermost() {
        var scope = new NamespaceScope(null);
        scope.declare(XMLConstants.XML_NS_PREFIX, XMLConstants.XML_NS_URI);
        scope.declare("", "");
        return scope;
    }

    NamespaceScope within() {
        return new NamespaceScope(this);
    }

    void declare(String prefix, String uri) {
        declared.put(prefix, uri);
    }

    /// Those of this element alone.
    Map<String, String> declared() {
        return declared;
    }

    Optional<String> uri(String prefix) {
        for (NamespaceScope at = this; at != null; at = at.around) {
            String uri = at.declared.get(prefix);
            if (uri != null) return Optional.of(uri);
        }
        return Optional.empty();
    }
}
