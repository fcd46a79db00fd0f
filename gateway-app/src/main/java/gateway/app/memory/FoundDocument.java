package gateway.app.memory;

import gateway.service.DocumentId;

/// What is kept of a document that was found in a file, before anything else is made of it or remembered.
@FunctionalInterface
public interface FoundDocument {
    /// Everything.
    FoundDocument AS_IT_STANDS = (_, text) -> text;

    /// @param text a JSON object with its id
    String kept(DocumentId document, String text);
}
