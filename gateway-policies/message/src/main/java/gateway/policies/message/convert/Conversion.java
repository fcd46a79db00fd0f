package gateway.policies.message.convert;

import gateway.policies.message.MediaRanges;
import gateway.policies.message.json.JsonBodies;
import gateway.policies.message.xml.XmlContent;

/// What becomes of the content of a message.
enum Conversion {
    NONE,
    JSON_TO_XML,
    XML_TO_JSON;

    private static final MediaRanges OF_JSON = new MediaRanges(JsonBodies.TYPES);
    private static final MediaRanges OF_XML = new MediaRanges(XmlContent.TYPES);

    /// Types of the messages that it is for.
    MediaRanges from() {
        return switch (this) {
            case NONE -> MediaRanges.NONE;
            case JSON_TO_XML -> OF_JSON;
            case XML_TO_JSON -> OF_XML;
        };
    }

    /// What the upstream is told that the client takes; empty text: what the client says.
    String accepted() {
        return switch (this) {
            case NONE -> "";
            case JSON_TO_XML -> "application/json";
            case XML_TO_JSON -> "application/xml, text/xml, application/soap+xml";
        };
    }
}
