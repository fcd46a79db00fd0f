package gateway.config;

import gateway.config.TrafficLogDefinition.Capture;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import java.util.HashSet;
import tools.jackson.databind.JsonNode;

/// Reads `trafficLog`: `true`, `false`, or
/// `{"sample": 0.1, "mask": {"headers": ["X-Token"], "query": ["token"]},
/// "capture": {"request": {"headers": true, "query": true}, "response": {"headers": true}}}`.
final class TrafficLogReader {
    private TrafficLogReader() {}

    static TrafficLogDefinition read(ConfigNode node) {
        if (!node.json().map(JsonNode::isObject).orElse(false)) return read(node, true);
        var capture = node.field("capture");
        capture.expectObject();
        var definition = new TrafficLogDefinition(
                readSample(node.field("sample")),
                readMask(node.field("mask")),
                readCapture(capture.field("request"), true),
                readCapture(capture.field("response"), false));
        capture.refuseUnknownFields();
        node.refuseUnknownFields();
        return definition;
    }

    private static TrafficLogDefinition read(ConfigNode node, boolean fallback) {
        boolean isSwitch = node.json().map(JsonNode::isBoolean).orElse(true);
        if (!isSwitch)
            node.problem("expected true, false or an object, got " + node.json().orElseThrow());
        boolean on = isSwitch ? node.bool(fallback) : fallback;
        return on ? TrafficLogDefinition.ON : TrafficLogDefinition.OFF;
    }

    private static double readSample(ConfigNode node) {
        if (!node.isPresent()) return 1;
        JsonNode json = node.json().orElseThrow();
        if (!json.isNumber() || json.doubleValue() < 0 || json.doubleValue() > 1) {
            node.problem("expected a share from 0 to 1, got " + json);
            return 1;
        }
        return json.doubleValue();
    }

    private static Mask readMask(ConfigNode node) {
        if (!node.expectObject()) return Mask.USUAL;
        var mask = new Mask(
                new HashSet<>(node.field("headers").list(TrafficLogReader::readHeader)),
                new HashSet<>(node.field("query").list(ConfigNode::requiredText)));
        node.refuseUnknownFields();
        return mask;
    }

    private static String readHeader(ConfigNode node) {
        String name = node.requiredText();
        if (!name.isEmpty() && !HeaderText.isToken(name)) {
            node.problem("expected a header name, got \"" + name + "\"");
        }
        return name;
    }

    private static Capture readCapture(ConfigNode node, boolean isRequest) {
        if (!node.expectObject()) return Capture.NOTHING;
        var capture = new Capture(
                node.field("headers").bool(false),
                isRequest && node.field("query").bool(false));
        node.refuseUnknownFields();
        return capture;
    }
}
