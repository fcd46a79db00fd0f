package gateway.policies.message.graphql;

/// Whether clients may ask for the schema.
enum Introspection {
    DENY,
    ALLOW
}
