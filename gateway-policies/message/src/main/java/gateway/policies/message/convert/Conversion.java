package gateway.policies.message.convert;

import gateway.policies.message.MediaRanges;
import java.util.List;

/// What becomes of the content of a message.
enum Conversion {
    NONE(List.of()),
    JSON_TO_XML(List.of("application/json", "*/*+json")),
    XML_TO_JSON(List.of("application/xml", "text/xml", "*/*+xml"));

    private final MediaRanges from;

    Conversion(List<String> from) {
        this.from = new MediaRanges(from);
    }

    /// Types of the messages that it is for.
    MediaRanges from() {
        return from;
    }
}
