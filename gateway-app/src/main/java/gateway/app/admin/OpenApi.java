package gateway.app.admin;

import gateway.json.Json;
import gateway.service.DocumentId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The admin API's own description (OpenAPI 3.1), made from its routes, so that neither can be without the other. The
/// schemas of definitions are made from their readers, the others stand in `schemas.json`.
final class OpenApi {
    /// The schema of bodies that are no JSON but whatever their type says.
    static final String CONTENT = "Content";

    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

    private OpenApi() {}

    static ObjectNode document(List<AdminRoute> routes, String version, DefinitionSchemas definitions) {
        ObjectNode document = Json.mapper().createObjectNode().put("openapi", "3.1.0");
        document.putObject("info").put("title", "Gateway admin API").put("version", version);
        document.putArray("servers").addObject().put("url", AdminRouter.BASE);
        document.putArray("security").addObject().putArray("token");
        ObjectNode paths = document.putObject("paths");
        for (AdminRoute route : routes) {
            paths.withObjectProperty(route.path()).set(route.method().toLowerCase(Locale.ROOT), operation(route));
        }
        ObjectNode components = document.putObject("components");
        components
                .putObject("securitySchemes")
                .putObject("token")
                .put("type", "http")
                .put("scheme", "bearer");
        AnswerField.describe(components.putObject("headers"));
        ObjectNode schemas = schemas();
        definitions.addTo(schemas);
        components.set("schemas", schemas);
        return document;
    }

    private static ObjectNode operation(AdminRoute route) {
        ObjectNode operation = Json.mapper()
                .createObjectNode()
                .put("operationId", route.name())
                .put("summary", route.summary());
        ArrayNode security = operation.putArray("security");
        route.rights().stream()
                .sorted()
                .forEach(right -> security.addObject().putArray("token").add(right.toString()));
        var parameters = operation.putArray("parameters");
        PLACE.matcher(route.path())
                .results()
                .forEach(place ->
                        parameters.add(parameter(place.group(1), "path", "as in the path", place(place.group(1)))));
        for (QueryParameter each : route.parameters()) {
            parameters.add(parameter(each.text(), "query", each.meaning(), each.schema()));
        }
        addConditions(route, parameters);
        route.body()
                .ifPresent(body -> content(
                        operation.putObject("requestBody").put("required", body.required()),
                        media(body.schema()),
                        body.schema()));
        ObjectNode responses = operation.putObject("responses");
        answers(route).forEach((status, answer) -> {
            ObjectNode response = responses.putObject(status.toString()).put("description", answer.meaning());
            AnswerField.of(route, status)
                    .forEach(each -> response.withObjectProperty("headers")
                            .putObject(each.text())
                            .put("$ref", "#/components/headers/" + each.text()));
            answer.schema()
                    .ifPresent(schema ->
                            content(response, status < 300 ? media(schema) : "application/problem+json", schema));
        });
        return operation;
    }

    /// All that a route may answer: its own, and what follows from what it takes.
    static Map<Integer, AdminRoute.Answer> answers(AdminRoute route) {
        AdminRoute complete = route.answering(400, "a malformed request, an unknown or malformed parameter")
                .answering(401, "no admin token, or a wrong one")
                .answering(403, "the token lacks the right, one of those under `security`")
                .answering(421, "`Host` is no host of the admin plane, and there is no admin token");
        if (route.path().contains("{") && !route.answers().containsKey(201))
            complete = complete.answering(404, "there is no such thing");
        if (route.body().isPresent()) {
            int most = route.body().get().mostBytes() >> 20;
            complete = complete.answering(413, "the body is larger than " + most + " MiB")
                    .answering(503, busy(route));
            if (!route.answers().containsKey(422))
                complete = complete.answering(422, "refused, with its problems under their pointers");
            if (!route.body().get().schema().equals(CONTENT))
                complete = complete.answering(415, "the body is not declared as JSON");
        }
        return new TreeMap<>(complete.answers());
    }

    private static String busy(AdminRoute route) {
        String store = route.answers().containsKey(503) ? ", or the store does not answer" : "";
        boolean many = route.body()
                .filter(body -> body.mostBytes() > AdminHandler.MAX_BODY_BYTES)
                .isPresent();
        String another = many ? ", or another one of more than 4 MiB" : "";
        return "too many bodies are being read" + another + store + "; try again after `Retry-After`";
    }

    private static void addConditions(AdminRoute route, ArrayNode parameters) {
        if (route.conditional()) {
            parameters.add(parameter("If-Match", "header", "the `ETag` that what is stored must have", text()));
        }
        if (route.isTagged()) {
            parameters.add(parameter("If-None-Match", "header", "`ETag`s that the client has already", text()));
        }
        if (route.conditional() && route.body().isPresent()) {
            parameters.add(parameter("If-None-Match", "header", "`*`: nothing may be stored yet", nothingElse("*")));
        }
    }

    private static ObjectNode place(String name) {
        return name.equals("n")
                ? QueryParameter.whole(0, AdminCall.LARGEST)
                : name.equals("id") ? text().put("pattern", "^" + DocumentId.FORM + "$") : text().put("minLength", 1);
    }

    private static ObjectNode text() {
        return Json.mapper().createObjectNode().put("type", "string");
    }

    private static ObjectNode nothingElse(String only) {
        ObjectNode schema = text();
        schema.putArray("enum").add(only);
        return schema;
    }

    private static ObjectNode parameter(String name, String place, String meaning, ObjectNode schema) {
        ObjectNode parameter = Json.mapper()
                .createObjectNode()
                .put("name", name)
                .put("in", place)
                .put("required", place.equals("path"))
                .put("description", meaning);
        parameter.set("schema", schema);
        return parameter;
    }

    private static String media(String schema) {
        return schema.equals(CONTENT) ? "*/*" : "application/json";
    }

    private static void content(ObjectNode message, String type, String schema) {
        message.putObject("content").putObject(type).putObject("schema").put("$ref", "#/components/schemas/" + schema);
    }

    /// Those that are written by hand.
    static ObjectNode schemas() {
        try (InputStream resource = OpenApi.class.getResourceAsStream("schemas.json")) {
            if (resource == null) throw new IllegalStateException("schemas.json is missing from the jar");
            return (ObjectNode) Json.parse(new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
