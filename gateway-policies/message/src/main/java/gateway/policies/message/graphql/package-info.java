/// Requests of GraphQL: what they ask for, before somebody computes it.
@NullMarked
package gateway.policies.message.graphql;

import org.jspecify.annotations.NullMarked;
