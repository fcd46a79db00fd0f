package gateway.app.admin;

import gateway.app.log.LogLevel;
import gateway.app.log.LogLevels;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.json.Suggestion;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the operator's log of this node tells: `/loggers`, `/loggers/{name}`. Changes end with the process.
final class LoggersResource {
    private static final long MOST_AT_ONCE = 1000;

    private final LogLevels levels;
    private final Definitions definitions;

    LoggersResource(LogLevels levels, Definitions definitions) {
        this.levels = levels;
        this.definitions = definitions;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of("GET", "/loggers", "listLoggers", "Loggers of this node with their levels", this::list)
                        .knowing(QueryParameter.LIMIT, QueryParameter.OFFSET, QueryParameter.NAME)
                        .answering(200, "a page of loggers", "LoggerPage"),
                AdminRoute.of("GET", "/loggers/{name}", "getLogger", "One logger, or a package of them", this::get)
                        .answering(200, "the logger", "Logger"),
                AdminRoute.of(
                                "PUT",
                                "/loggers/{name}",
                                "putLogger",
                                "Changes a logger's level on this node, at once and until the process ends",
                                this::put)
                        .taking("LoggerLevel")
                        .answering(200, "changed", "Logger"),
                AdminRoute.of(
                                "DELETE",
                                "/loggers/{name}",
                                "resetLogger",
                                "Sets a logger back to the level that the settings give it",
                                this::reset)
                        .answering(204, "set back"));
    }

    private Response list(AdminCall call) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        String part = call.query().getOrDefault("name", "");
        int from = (int) call.number("cursor", 0, QueryParameter.LARGEST_OFFSET, 0);
        List<LogLevels.Named> found = levels.all().stream()
                .filter(logger -> logger.name().contains(part))
                .skip(from)
                .limit(limit + 1L)
                .toList();
        boolean more = found.size() > limit;
        Optional<String> next = more ? Optional.of(Integer.toString(from + limit)) : Optional.empty();
        return Answers.page(more ? found.subList(0, limit) : found, LoggersResource::json, next);
    }

    private Response get(AdminCall call) {
        String name = call.place("name");
        return Answers.ok(json(levels.find(name).orElseThrow(() -> unknown(name))));
    }

    private Response put(AdminCall call) {
        String name = call.place("name");
        LogLevel level = read(call.json());
        LogLevels.Named changed = levels.set(name, level).orElseThrow(() -> unknown(name));
        definitions.audited(call.author(), call.inWords() + " (" + level.text() + ")");
        return Answers.ok(json(changed));
    }

    private Response reset(AdminCall call) {
        String name = call.place("name");
        if (levels.reset(name).isEmpty()) throw unknown(name);
        definitions.audited(call.author(), call.inWords());
        return Response.of(204);
    }

    private static LogLevel read(JsonNode json) {
        ConfigNode node = ConfigNode.of(json);
        ConfigNode place = node.field("level");
        String text = place.requiredText();
        Optional<LogLevel> level = LogLevel.of(text);
        if (level.isEmpty() && !text.isEmpty()) place.problem(LogLevel.refusal(text));
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return level.orElseThrow();
    }

    private static ObjectNode json(LogLevels.Named logger) {
        return Json.mapper()
                .createObjectNode()
                .put("name", logger.name())
                .put("level", logger.level().text())
                .put("configured", logger.configured().text());
    }

    private AdminProblem unknown(String name) {
        List<String> names = levels.all().stream().map(LogLevels.Named::name).toList();
        return AdminProblem.notFound("nothing logs under \"" + name + "\" in this process"
                + Suggestion.nearest(name, names)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse(""));
    }
}
