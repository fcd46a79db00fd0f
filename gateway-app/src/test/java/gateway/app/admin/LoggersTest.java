package gateway.app.admin;

import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.service.AuditEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

final class LoggersTest {
    private static final String NAME = LoggersTest.class.getName();

    private final org.slf4j.Logger log = LoggerFactory.getLogger(LoggersTest.class);
    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.delete("/loggers/" + NAME);
        server.close();
    }

    @Test
    void a_level_takes_effect_at_once_and_stands_in_the_audit_log() {
        boolean before = log.isTraceEnabled();

        var answer = server.put("/loggers/" + NAME, "{\"level\": \"TRACE\"}");

        assertThat(before).isFalse();
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer).get("level").stringValue()).isEqualTo("trace");
        assertThat(log.isTraceEnabled()).isTrue();
        assertThat(server.audit.latest(0, 1))
                .map(AuditEntry::action)
                .containsExactly("PUT loggers/" + NAME + " (trace)");
    }

    @Test
    void deleting_returns_to_the_configured_level() {
        server.put("/loggers/" + NAME, "{\"level\": \"debug\"}");

        var answer = server.delete("/loggers/" + NAME);

        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(log.isDebugEnabled()).isFalse();
        assertThat(json(server.get("/loggers/" + NAME))).isEqualTo(tree("""
                {"name": "%s", "level": "warn", "configured": "warn"}""".formatted(NAME)));
        assertThat(server.audit.latest(0, 1)).map(AuditEntry::action).containsExactly("DELETE loggers/" + NAME);
    }

    @Test
    void a_wrong_level_is_refused_under_its_pointer() {
        var answer = server.put("/loggers/" + NAME, "{\"level\": \"debgu\"}");

        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(json(answer).get("errors")).isEqualTo(tree("""
                [{"pointer": "/level",
                  "message": "expected one of trace, debug, info, warn, error, off, got \\"debgu\\"; did you mean \\"debug\\"?"}]"""));
        assertThat(log.isDebugEnabled()).isFalse();
    }

    @Test
    void an_unknown_logger_is_answered_with_the_one_that_was_meant() {
        var answer = server.put("/loggers/" + NAME.replace("gateway", "gatway"), "{\"level\": \"debug\"}");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(json(answer).get("detail").stringValue()).contains("did you mean \"" + NAME + "\"?");
    }

    @Test
    void loggers_are_listed_by_part_of_their_name_and_page_by_page() {
        var first = json(server.get("/loggers?name=gateway.app.admin&limit=1"));
        var second = json(server.get("/loggers?name=gateway.app.admin&limit=1&cursor="
                + first.get("next").stringValue()));

        assertThat(first.get("items").get(0).get("name").stringValue()).isEqualTo("gateway.app.admin");
        assertThat(second.get("items").get(0).get("name").stringValue()).startsWith("gateway.app.admin.");
    }

    private static JsonNode tree(String text) {
        return Json.parse(text);
    }
}
