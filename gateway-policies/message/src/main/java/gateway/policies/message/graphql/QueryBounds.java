package gateway.policies.message.graphql;

import gateway.json.ConfigNode;

/// How much one document may ask for. What fragments hold counts wherever they are used.
///
/// @param depth fields within each other
/// @param fragments uses of fragments, those without a name too
/// @param tokens names, values and punctuation, of all documents of a request together
/// @param characters of all texts of a request together
/// @param variables values within `variables`
record QueryBounds(
        int depth, int fields, int aliases, int directives, int fragments, int tokens, int characters, int variables) {
    private static final int MANY = 10_000;

    static QueryBounds read(ConfigNode node) {
        return new QueryBounds(
                number(node, "depth", "fields within each other", 1, 100, 10),
                number(node, "fields", "of a document, those of fragments wherever they are used", 1, MANY, 300),
                number(node, "aliases", "of a document, likewise", 0, MANY, 20),
                number(node, "directives", "of a document, likewise", 0, MANY, 20),
                number(node, "fragments", "uses of fragments, those without a name too", 0, MANY, 100),
                number(
                        node,
                        "tokens",
                        "names, values and punctuation of all documents of a request",
                        10,
                        100_000,
                        2_000),
                (int) node.field("text", "most characters of all documents of a request")
                        .size(100, 1 << 20, 64 << 10),
                number(node, "variables", "values within `variables`, names not counted", 0, 100_000, 1_000));
    }

    private static int number(ConfigNode node, String name, String meaning, int min, int max, int usual) {
        return (int) node.field(name, meaning).integer(min, max, usual);
    }
}
