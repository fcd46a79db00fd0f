package gateway.app.commands;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// What an OpenAPI document says of the service behind an API: its title, and where it is.
///
/// @param members of the document
record DescribedService(Map<String, JsonNode> members) {
    private static final int LONGEST_ID = 64;

    DescribedService {
        members = Map.copyOf(members);
    }

    /// The definition of an API in front of it. Clients' paths begin as those of the first server do, or else with the
    /// API's id, which the upstream does not get.
    ///
    /// @throws InvalidConfigException when the document is none of OpenAPI 3.0 or 3.1, or says too little
    ObjectNode definition(@Nullable String givenId, @Nullable String givenUpstream, String resource) {
        requireEdition();
        String title = member("info").path("title").asString("");
        String id = givenId == null ? idOf(title) : givenId;
        URI server = server();
        String path = pathOf(server);
        ObjectNode definition = Json.mapper().createObjectNode();
        definition.put("id", id).put("name", title.isEmpty() ? id : title);
        definition.putObject("match").put("path", path.isEmpty() ? "/" + id : path);
        if (path.isEmpty()) definition.put("stripPath", true);
        definition
                .putObject("upstream")
                .putArray("targets")
                .addObject()
                .put("url", givenUpstream == null ? origin(server) : givenUpstream);
        ObjectNode policy = definition.putArray("policies").addObject().put("type", "openapi-validation");
        policy.putObject("document").put("resource", resource);
        policy.put("request", "report").put("response", "report"); // whom it would refuse is seen first
        return definition;
    }

    private void requireEdition() {
        String edition = member("openapi").asString("");
        if (edition.startsWith("3.0.") || edition.startsWith("3.1.")) return;
        String got = member("swagger").isMissingNode()
                ? edition
                : "Swagger " + member("swagger").asString("");
        throw new InvalidConfigException(
                "/openapi", "expected OpenAPI 3.0 or 3.1, got \"" + got + "\": convert the document first");
    }

    private JsonNode member(String name) {
        return members.getOrDefault(name, MissingNode.getInstance());
    }

    private static String idOf(String title) {
        String id = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return id.substring(0, Math.min(id.length(), LONGEST_ID));
    }

    /// The first server, its variables as they are by default.
    private URI server() {
        JsonNode server = member("servers").path(0);
        String url = server.path("url").asString("");
        for (String name : server.path("variables").propertyNames())
            url = url.replace(
                    "{" + name + "}",
                    server.path("variables").path(name).path("default").asString(""));
        try {
            return URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigException("/servers/0/url", "expected a URL, got \"" + url + '"');
        }
    }

    private static String pathOf(URI server) {
        String path = server.getPath() == null ? "" : server.getPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static String origin(URI server) {
        if (server.getScheme() == null || server.getRawAuthority() == null)
            throw new InvalidConfigException(
                    "/servers/0/url", "expected the URL of a server, got \"" + server + "\": say --upstream");
        return server.getScheme() + "://" + server.getRawAuthority();
    }
}
