package gateway.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import gateway.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class LogLinesTest {
    private static final String HOSTILE =
            "a\r\n2026-01-01T00:00:00.000Z ERROR Gateway - forged\u001b[31m\u2028\u202e\u0085x";

    private final LoggerContext context = new LoggerContext();

    @Test
    void a_text_line_says_when_how_grave_who_what_and_about_which_request() {
        String line = text(logger -> LogFields.about(logger.atWarn(), "0af7651916cd43dd8448eb211c80319c", "orders")
                .log("a request failed"));

        assertThat(line)
                .matches(
                        "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) WARN  Orders - a request failed"
                                + " http.request.id=0af7651916cd43dd8448eb211c80319c gateway.api=orders\n");
    }

    @Test
    void a_json_line_has_the_names_of_the_elastic_common_schema() {
        JsonNode line = json(logger -> LogFields.about(logger.atWarn(), "r1", "orders")
                .addKeyValue("count", 3L)
                .log("a request failed"));

        assertThat(line.propertyNames())
                .containsExactly(
                        "@timestamp",
                        "log.level",
                        "message",
                        "ecs.version",
                        "event.dataset",
                        "service.name",
                        "service.node.name",
                        "log.logger",
                        "process.thread.name",
                        "http.request.id",
                        "gateway.api",
                        "count");
        assertThat(line.get("@timestamp").stringValue()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        assertThat(line.get("log.level").stringValue()).isEqualTo("WARN");
        assertThat(line.get("log.logger").stringValue()).isEqualTo("gateway.app.Orders");
        assertThat(line.get("service.node.name").stringValue()).isEqualTo("node-1");
        assertThat(line.get("gateway.api").stringValue()).isEqualTo("orders");
        assertThat(line.get("count").longValue()).isEqualTo(3);
    }

    @Test
    void nothing_that_a_client_sends_can_end_a_text_line_or_steer_a_terminal() {
        String line =
                text(logger -> logger.atInfo().addKeyValue("path", HOSTILE).log("got {}", HOSTILE));

        assertThat(line.chars().filter(c -> c == '\n')).hasSize(1);
        assertThat(line).endsWith("\n").contains("got a\\r\\n2026").contains("\\u001b[31m\\u2028\\u202e\\u0085x");
        assertThat(line.strip().chars()).allMatch(c -> c >= ' ' && c < 0x7f);
    }

    @Test
    void nothing_that_a_client_sends_can_steer_a_terminal_from_a_json_line_either() {
        ILoggingEvent event =
                event(logger -> logger.atInfo().addKeyValue("path", HOSTILE).log("got \\{}", HOSTILE));

        String line = new String(new JsonLines("node-1").encode(event), StandardCharsets.UTF_8);

        assertThat(line.strip().chars()).allMatch(c -> c >= ' ' && c < 0x7f);
        assertThat(Json.parse(line).get("path").stringValue()).isEqualTo(HOSTILE);
        assertThat(Json.parse(line).get("message").stringValue()).isEqualTo(event.getFormattedMessage());
    }

    @Test
    void a_failure_stands_below_its_line_with_its_causes_and_a_printable_message() {
        var thrown = new IllegalStateException("outer " + HOSTILE, new IllegalArgumentException("inner\nforged"));

        String lines = text(logger -> logger.error("broke", thrown));

        assertThat(lines.lines().skip(1))
                .allMatch(line -> line.startsWith("\t")
                        || line.startsWith("java.lang.IllegalStateException: outer a\\r\\n2026")
                        || line.equals("Caused by: java.lang.IllegalArgumentException: inner\\nforged"));
    }

    @Test
    void a_failure_in_json_has_type_message_and_stack_in_one_line() {
        var thrown = new IllegalStateException("outer " + HOSTILE);

        JsonNode line = json(logger -> logger.error("broke", thrown));

        assertThat(line.get("error.type").stringValue()).isEqualTo("java.lang.IllegalStateException");
        assertThat(line.get("error.message").stringValue()).isEqualTo("outer " + HOSTILE);
        assertThat(line.get("error.stack_trace").stringValue())
                .contains("\tat ")
                .contains("LogLinesTest");
    }

    @Test
    void a_value_with_spaces_or_quotes_is_quoted_in_text() {
        String line =
                text(logger -> logger.atInfo().addKeyValue("why", "x=\"1 2\"").log("m"));

        assertThat(line).endsWith("m why=\"x=\\\"1 2\\\"\"\n");
    }

    @Test
    void a_half_surrogate_breaks_no_line() {
        assertThat(text(logger -> logger.info("\ud800"))).endsWith("?\n");
        assertThat(json(logger -> logger.info("\ud800")).get("message").isString())
                .isTrue();
    }

    @Test
    void settings_choose_form_and_levels() {
        LogSetup.setUp(context);
        var settings = new LogSettings(
                LogFormat.JSON, LogLevel.WARN, java.util.Map.of("gateway.app.redis", LogLevel.TRACE), "node-1");

        OperatorLog.apply(settings, context);

        assertThat(context.getLogger("gateway.app").getEffectiveLevel()).isEqualTo(Level.WARN);
        assertThat(context.getLogger("gateway.app.redis.CurrentConnections").getEffectiveLevel())
                .isEqualTo(Level.TRACE);
        var console = (ch.qos.logback.core.ConsoleAppender<?>)
                context.getLogger("ROOT").getAppender("operator");
        assertThat(console.getEncoder()).isInstanceOf(JsonLines.class);
    }

    @Test
    void that_redis_is_away_is_told_without_a_stack() {
        ILoggingEvent event = event(
                "io.lettuce.core.protocol.ConnectionWatchdog",
                logger -> logger.warn("Cannot reconnect to [{}]: {}", "a:6379", "refused", new IOException("refused")));

        assertThat(new String(new TextLines().encode(event), StandardCharsets.UTF_8))
                .endsWith(" WARN  ConnectionWatchdog - Cannot reconnect to [a:6379]: refused\n");
        assertThat(Json.parse(new String(new JsonLines("node-1").encode(event), StandardCharsets.UTF_8))
                        .has("error.stack_trace"))
                .isFalse();
    }

    private String text(Consumer<Logger> act) {
        return new String(new TextLines().encode(event(act)), StandardCharsets.UTF_8);
    }

    private JsonNode json(Consumer<Logger> act) {
        String line = new String(new JsonLines("node-1").encode(event(act)), StandardCharsets.UTF_8);
        assertThat(line.chars().filter(c -> c == '\n')).hasSize(1);
        assertThat(line).endsWith("}\n");
        return Json.parse(line);
    }

    private ILoggingEvent event(Consumer<Logger> act) {
        return event("gateway.app.Orders", act);
    }

    private ILoggingEvent event(String name, Consumer<Logger> act) {
        var events = new ListAppender<ILoggingEvent>();
        events.start();
        Logger logger = context.getLogger(name);
        logger.addAppender(events);
        act.accept(logger);
        logger.detachAppender(events);
        return events.list.getFirst();
    }
}
