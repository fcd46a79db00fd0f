package gateway.service;

import java.util.Optional;

/// A kind of documents that make up the configuration.
public enum DocumentKind {
    APIS("apis"),
    POLICY_SETS("policy-sets"),
    /// One document, which has the id `global`.
    GLOBAL("global"),
    PLANS("plans"),
    /// Schemas, stylesheets, key sets: each document tells of a content, which is kept apart by its digest.
    RESOURCES("resources"),
    /// Sealed. A rollback leaves them as they are.
    SECRETS("secrets");

    private final String text;

    DocumentKind(String text) {
        this.text = text;
    }

    /// As JSON, the admin API and folders name it: `policy-sets`.
    public String text() {
        return text;
    }

    public static Optional<DocumentKind> of(String text) {
        for (DocumentKind kind : values()) {
            if (kind.text.equals(text)) return Optional.of(kind);
        }
        return Optional.empty();
    }
}
