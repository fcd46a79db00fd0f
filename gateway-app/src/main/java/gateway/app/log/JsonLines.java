package gateway.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.encoder.EncoderBase;
import gateway.json.Json;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.slf4j.event.KeyValuePair;
import tools.jackson.core.JsonGenerator;

/// One JSON object a line for each event, in UTF-8, with the field names of the Elastic Common Schema
/// (<https://www.elastic.co/docs/reference/ecs>), as Elastic's own log encoders write them.
final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final byte[] NONE = {};
    private static final String ECS_VERSION = "8.17.0";

    private final String node;

    /// @param node names this node
    JsonLines(String node) {
        this.node = node;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        var line = new StringWriter(512);
        try (JsonGenerator json = Json.mapper().createGenerator(line)) {
            json.writeStartObject();
            json.writeStringProperty(
                    "@timestamp", Instant.ofEpochMilli(event.getTimeStamp()).toString());
            json.writeStringProperty("log.level", event.getLevel().toString());
            json.writeStringProperty("message", String.valueOf(event.getFormattedMessage()));
            json.writeStringProperty("ecs.version", ECS_VERSION);
            json.writeStringProperty("event.dataset", "gateway.log");
            json.writeStringProperty("service.name", "gateway");
            json.writeStringProperty("service.node.name", node);
            json.writeStringProperty("log.logger", event.getLoggerName());
            json.writeStringProperty("process.thread.name", String.valueOf(event.getThreadName()));
            if (event.getKeyValuePairs() != null) {
                for (KeyValuePair pair : event.getKeyValuePairs()) write(json, pair);
            }
            StackText.shown(event).ifPresent(thrown -> write(json, thrown));
            json.writeEndObject();
        }
        var safe = new StringBuilder(line.getBuffer().length() + 16);
        Printable.append(safe, line.toString()); // its escapes are JSON's, and only texts hold what needs them
        return safe.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void write(JsonGenerator json, KeyValuePair pair) {
        switch (pair.value) {
            case Integer number -> json.writeNumberProperty(pair.key, number);
            case Long number -> json.writeNumberProperty(pair.key, number);
            case Boolean truth -> json.writeBooleanProperty(pair.key, truth);
            case null -> json.writeNullProperty(pair.key);
            default -> json.writeStringProperty(pair.key, pair.value.toString());
        }
    }

    private static void write(JsonGenerator json, IThrowableProxy thrown) {
        json.writeStringProperty("error.type", thrown.getClassName());
        if (thrown.getMessage() != null) json.writeStringProperty("error.message", thrown.getMessage());
        json.writeStringProperty("error.stack_trace", StackText.of(thrown));
    }

    @Override
    public byte[] headerBytes() {
        return NONE;
    }

    @Override
    public byte[] footerBytes() {
        return NONE;
    }
}
