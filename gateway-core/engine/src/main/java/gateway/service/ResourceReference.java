package gateway.service;

/// What a definition writes in the place of a content: `{"resource": "orders.xsd"}`.
public record ResourceReference(String id) {
    /// As the definition writes it.
    @Override
    public String toString() {
        return "{\"resource\": \"" + id + "\"}";
    }
}
