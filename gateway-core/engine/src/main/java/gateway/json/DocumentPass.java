package gateway.json;

import java.util.ArrayList;
import java.util.List;

/// One reading of one document: which one it is, and what is noted of all its places together.
final class DocumentPass {
    final String document;
    final Problems problems = new Problems();
    final Cost cost = new Cost();
    final List<String> secrets = new ArrayList<>(); // pointers
    final List<String> resources = new ArrayList<>(); // pointers

    /// @param document such as `apis/orders`; empty when it has no name
    DocumentPass(String document) {
        this.document = document;
    }
}
