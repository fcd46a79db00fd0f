package gateway.policies.message.graphql;

import gateway.http.Body;
import gateway.http.Outgoing;
import gateway.json.Json;
import gateway.policies.message.json.JsonBodies;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The requests of GraphQL within one of HTTP, and how others take their place. Their order is that of the batch.
sealed interface SentRequests {
    List<GraphqlRequest> all();

    /// Sends the text of each document in the place of its name.
    ///
    /// @param texts one for each request, empty where that carries its own
    void spellOut(List<String> texts, Outgoing outgoing);

    /// @param tree as it was read; others read it too
    record InBody(JsonNode tree, List<GraphqlRequest> all) implements SentRequests {
        public InBody {
            all = List.copyOf(all);
        }

        @Override
        public void spellOut(List<String> texts, Outgoing outgoing) {
            JsonNode after = tree;
            if (tree instanceof ArrayNode batch) {
                ArrayNode other = batch.arrayNode();
                for (int i = 0; i < batch.size(); i++) other.add(spelled(batch.get(i), texts.get(i)));
                after = other;
            } else {
                after = spelled(tree, texts.getFirst());
            }
            outgoing.replaceBody(Body.of(JsonBodies.written(after)));
        }
    }

    /// @param request as a body would carry it
    record InUrl(JsonNode request, List<GraphqlRequest> all) implements SentRequests {
        public InUrl {
            all = List.copyOf(all);
        }

        @Override
        public void spellOut(List<String> texts, Outgoing outgoing) {
            JsonNode after = spelled(request, texts.getFirst());
            outgoing.removeQueryParameter(RequestMembers.DOCUMENT);
            outgoing.removeQueryParameter(RequestMembers.EXTENSIONS);
            outgoing.removeQueryParameter(RequestMembers.QUERY);
            outgoing.addQueryParameter(RequestMembers.QUERY, texts.getFirst());
            JsonNode extensions = after.path(RequestMembers.EXTENSIONS);
            if (!extensions.isEmpty()) outgoing.addQueryParameter(RequestMembers.EXTENSIONS, Json.compact(extensions));
        }
    }

    private static JsonNode spelled(JsonNode request, String text) {
        if (text.isEmpty()) return request;
        ObjectNode after = Json.mapper().createObjectNode();
        after.put(RequestMembers.QUERY, text);
        for (var each : request.properties()) {
            switch (each.getKey()) {
                case RequestMembers.QUERY, RequestMembers.DOCUMENT -> {}
                case RequestMembers.EXTENSIONS -> {
                    ObjectNode others = Json.mapper().createObjectNode();
                    for (var extension : each.getValue().properties())
                        if (!extension.getKey().equals(RequestMembers.PERSISTED))
                            others.set(extension.getKey(), extension.getValue());
                    if (!others.isEmpty()) after.set(RequestMembers.EXTENSIONS, others);
                }
                case String name -> after.set(name, each.getValue());
            }
        }
        return after;
    }
}
