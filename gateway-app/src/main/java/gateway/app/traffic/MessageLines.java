package gateway.app.traffic;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gateway.capture.BodyText;
import java.util.List;

/// Writes what is recorded of a message beyond the Elastic Common Schema: its headers, and what became of its body.
final class MessageLines {
    private static final byte[] HEADERS = "\"headers\":".getBytes(US_ASCII);
    private static final byte[] BODY_STATE = "\"body_state\":".getBytes(US_ASCII);

    private final HeaderLines headerLines = new HeaderLines();

    /// @param member such as `,"request":`
    /// @param headers name, value, name, value …
    void write(byte[] member, List<String> headers, BodyText.State body, JsonBytes json) {
        if (headers.isEmpty() && body == BodyText.State.NONE) return;
        json.raw(member).raw('{');
        if (!headers.isEmpty()) {
            json.raw(HEADERS);
            headerLines.write(headers, json);
        }
        if (body != BodyText.State.NONE) {
            if (!headers.isEmpty()) json.raw(',');
            json.raw(BODY_STATE).text(name(body));
        }
        json.raw('}');
    }

    private static String name(BodyText.State body) {
        return switch (body) {
            case NONE -> "none";
            case WHOLE -> "whole";
            case TRUNCATED -> "truncated";
            case ENCODED -> "encoded";
            case BINARY -> "binary";
            case UNMASKABLE -> "unmaskable";
            case NO_ROOM -> "no-room";
        };
    }
}
