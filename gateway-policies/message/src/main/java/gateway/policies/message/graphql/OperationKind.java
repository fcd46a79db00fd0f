package gateway.policies.message.graphql;

/// What an operation of GraphQL does.
enum OperationKind {
    QUERY,
    MUTATION,
    SUBSCRIPTION
}
