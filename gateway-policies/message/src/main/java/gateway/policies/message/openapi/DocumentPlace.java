package gateway.policies.message.openapi;

import tools.jackson.databind.JsonNode;

/// A piece of an OpenAPI document, and where it stands there.
///
/// @param pointer in the document
record DocumentPlace(JsonNode tree, String pointer) {
    DocumentPlace at(String name) {
        return new DocumentPlace(tree.path(name), pointer + Faults.step(name));
    }

    DocumentPlace at(int index) {
        return new DocumentPlace(tree.path(index), pointer + '/' + index);
    }

    String text(String name) {
        return tree.path(name).asString("");
    }

    boolean has(String name) {
        return tree.has(name);
    }
}
