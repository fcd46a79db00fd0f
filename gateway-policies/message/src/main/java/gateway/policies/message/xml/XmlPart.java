package gateway.policies.message.xml;

import gateway.json.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Which part of a document is validated.
sealed interface XmlPart {
    Pattern FORM = Pattern.compile("document|soap-body|/[\\s\\S]{1,999}");
    XmlPart DOCUMENT = new Document();

    /// All of it.
    record Document() implements XmlPart {}

    /// The one element in the body of a SOAP envelope.
    record SoapBody() implements XmlPart {}

    /// Every element that these steps from the root lead to; one at least has to be there.
    record Path(List<XmlName> steps) implements XmlPart {
        public Path {
            steps = List.copyOf(steps);
        }
    }

    static XmlPart read(ConfigNode node, Map<String, String> namespaces) {
        String text = node.form("`document`, `soap-body` or steps such as `/o:order/o:customer`")
                .like(FORM)
                .text("document");
        return switch (text) {
            case "document" -> DOCUMENT;
            case "soap-body" -> new SoapBody();
            default -> path(text, namespaces, node);
        };
    }

    private static XmlPart path(String text, Map<String, String> namespaces, ConfigNode node) {
        if (!text.startsWith("/") || text.length() > 1000) {
            node.expected("document, soap-body or a path of child steps such as /o:order/o:customer");
            return DOCUMENT;
        }
        var steps = new ArrayList<XmlName>();
        for (String step : text.substring(1).split("/", -1)) steps.add(XmlName.read(step, namespaces, node));
        return new Path(steps);
    }
}
