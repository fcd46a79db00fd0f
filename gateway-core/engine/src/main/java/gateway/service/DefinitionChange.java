package gateway.service;

import java.util.Optional;

/// One document before and after a revision, as stored JSON text; empty where there was or is none.
public record DefinitionChange(DocumentId id, Optional<String> before, Optional<String> after) {}
