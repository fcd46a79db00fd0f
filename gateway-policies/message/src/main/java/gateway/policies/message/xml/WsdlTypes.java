package gateway.policies.message.xml;

import gateway.json.InvalidConfigException;
import java.util.ArrayList;
import java.util.List;
import org.w3c.dom.Element;

/// The schemas that stand in the `types` of a service's description (WSDL 1.1 §2.2).
final class WsdlTypes {
    private static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";

    private WsdlTypes() {}

    /// @throws InvalidConfigException under `pointer` when there are none
    static List<GrammarDocument> of(String pointer, String id, byte[] content) {
        Element root = GrammarDocument.root(pointer, id, content);
        if (!XmlTrees.is(root, WSDL, "definitions")) {
            throw new InvalidConfigException(pointer, "expected a WSDL 1.1 in the resource \"" + id + '"');
        }
        var schemas = new ArrayList<GrammarDocument>();
        for (Element types : XmlTrees.children(root, WSDL, "types")) {
            for (Element each : XmlTrees.children(types, GrammarDocument.XSD, "schema")) {
                String name = id + " types " + (schemas.size() + 1);
                schemas.add(GrammarDocument.within(pointer, name, each));
            }
        }
        if (schemas.isEmpty()) {
            throw new InvalidConfigException(pointer, "expected schemas in the types of the resource \"" + id + '"');
        }
        return schemas;
    }
}
