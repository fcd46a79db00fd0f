package gateway.policies.message.graphql;

/// Whether clients may ask for the schema.
enum SchemaQuestions {
    DENY,
    ALLOW
}
