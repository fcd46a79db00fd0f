package gateway.policies.message.graphql;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// One request of GraphQL, however HTTP carries it.
///
/// @param text of its document; empty when it is named alone
/// @param id of a document that the server is to know: SHA-256 of its text, or what its clients have agreed on
/// @param operation name of the one to be executed
/// @param variables an object, or nothing
record GraphqlRequest(Optional<String> text, Optional<QueryId> id, Optional<String> operation, JsonNode variables) {}
