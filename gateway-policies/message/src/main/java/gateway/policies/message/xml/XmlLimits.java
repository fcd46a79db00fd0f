package gateway.policies.message.xml;

import gateway.json.ConfigNode;
import gateway.xml.Xml;

/// Bounds of XML, none of them above those of [Xml].
///
/// @param depth elements within each other
/// @param attributes of one element, declarations of namespaces among them
/// @param children elements that one element holds
/// @param name characters of a name, its prefix among them
/// @param text characters of an attribute's value, of a comment, of what stands between two tags
/// @param nodes elements, attributes, declarations, texts, comments and processing instructions of all
/// @param processingInstructions whether there may be any
/// @param comments whether there may be any
public record XmlLimits(
        int depth,
        int attributes,
        int children,
        int name,
        int text,
        int nodes,
        boolean processingInstructions,
        boolean comments) {
    private static final int LARGEST = 1_000_000;

    public static XmlLimits read(ConfigNode node) {
        node.expectObject();
        var limits = new XmlLimits(
                bound(node, "depth", "elements within each other", Xml.DEPTH, 32),
                bound(node, "attributes", "and declarations of namespaces of one element", Xml.ATTRIBUTES, 32),
                bound(node, "children", "elements in one element", LARGEST, 1_000),
                bound(node, "name", "characters of a name with its prefix", Xml.NAME, 128),
                bound(node, "text", "characters of a value, of a comment, of text between tags", LARGEST, 8_192),
                bound(node, "nodes", "elements, attributes, declarations, texts and others in all", Xml.NODES, 20_000),
                node.field("processingInstructions", "whether there may be any").bool(false),
                node.field("comments", "whether there may be any").bool(true));
        node.refuseUnknownFields();
        return limits;
    }

    private static int bound(ConfigNode node, String name, String meaning, int largest, int usual) {
        return (int) node.field(name, meaning).integer(1, largest, usual);
    }
}
