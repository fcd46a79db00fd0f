package gateway.policies.message.json;

import gateway.json.ConfigNode;

/// Bounds of JSON.
///
/// @param depth brackets and braces within each other
/// @param members of one object
/// @param elements of one array
/// @param name characters of a member's name
/// @param text characters of a text
/// @param number digits and signs of a number
/// @param tokens names, values and brackets of all
record JsonLimits(int depth, int members, int elements, int name, int text, int number, int tokens) {
    private static final int LARGEST = 1_000_000;

    static JsonLimits read(ConfigNode node) {
        node.expectObject();
        var limits = new JsonLimits(
                bound(node, "depth", "brackets and braces within each other", 32),
                bound(node, "members", "of one object", 500),
                bound(node, "elements", "of one array", 1_000),
                bound(node, "name", "characters of a member's name", 128),
                bound(node, "text", "characters of a text", 8_192),
                bound(node, "number", "digits, signs and points of a number", 32),
                bound(node, "tokens", "names, values and brackets in all", 20_000));
        node.refuseUnknownFields();
        return limits;
    }

    private static int bound(ConfigNode node, String name, String meaning, int usual) {
        return (int) node.field(name, meaning).integer(1, LARGEST, usual);
    }
}
