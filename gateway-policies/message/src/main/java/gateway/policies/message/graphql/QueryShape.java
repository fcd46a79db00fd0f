package gateway.policies.message.graphql;

import java.util.Set;

/// What is to be known of a document that keeps its bounds.
///
/// @param kinds of its operations
/// @param names of its operations; one without a name is the only one
/// @param introspects whether it asks for the schema
/// @param weight of all its operations
/// @param tokens of its text
record QueryShape(Set<OperationKind> kinds, Set<String> names, boolean introspects, QueryWeight weight, int tokens) {
    QueryShape {
        kinds = Set.copyOf(kinds);
        names = Set.copyOf(names);
    }
}
