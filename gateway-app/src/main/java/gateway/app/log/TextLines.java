package gateway.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.slf4j.event.KeyValuePair;

/// One line for each event: `2026-01-01T00:00:00.000Z WARN  AdminPlane - message key=value`, in UTF-8.
final class TextLines extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneId.systemDefault());
    private static final byte[] NONE = {};

    @Override
    public byte[] encode(ILoggingEvent event) {
        var line = new StringBuilder(256);
        TIME.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
        String level = event.getLevel().toString();
        line.append(' ').append(level).append(level.length() < 5 ? "  " : " ");
        String logger = event.getLoggerName();
        line.append(logger, logger.lastIndexOf('.') + 1, logger.length()).append(" - ");
        Printable.append(line, String.valueOf(event.getFormattedMessage()));
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) append(line, pair);
        }
        line.append('\n');
        StackText.shown(event).ifPresent(thrown -> line.append(StackText.of(thrown)));
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(StringBuilder line, KeyValuePair pair) {
        String value = String.valueOf(pair.value);
        boolean quoted =
                value.isEmpty() || value.indexOf(' ') >= 0 || value.indexOf('"') >= 0 || value.indexOf('=') >= 0;
        line.append(' ').append(pair.key).append('=');
        if (quoted) line.append('"');
        Printable.append(line, quoted ? value.replace("\\", "\\\\").replace("\"", "\\\"") : value);
        if (quoted) line.append('"');
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
