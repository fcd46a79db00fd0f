package gateway.policies.message.schema;

/// What the value belongs to that a schema is asked about: OpenAPI has members for one kind of message alone.
public enum SchemaUse {
    ANY,
    REQUEST,
    ANSWER
}
