package gateway.policies.message.convert;

import gateway.policies.message.MediaRanges;
import gateway.policies.message.json.JsonBodies;
import gateway.policies.message.xml.XmlContent;
import java.util.List;

/// What becomes of the content of a message.
enum Conversion {
    NONE(List.of(), List.of()),
    JSON_TO_XML(JsonBodies.TYPES, List.of("application/json")),
    XML_TO_JSON(XmlContent.TYPES, List.of("application/xml", "text/xml", "application/soap+xml"));

    private final MediaRanges from;
    private final List<String> accepted;

    Conversion(List<String> from, List<String> accepted) {
        this.from = new MediaRanges(from);
        this.accepted = accepted;
    }

    /// Types of the messages that it is for.
    MediaRanges from() {
        return from;
    }

    /// What the upstream is told that the client takes.
    List<String> accepted() {
        return accepted;
    }
}
