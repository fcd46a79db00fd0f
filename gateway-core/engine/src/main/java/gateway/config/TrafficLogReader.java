package gateway.config;

import gateway.capture.BodyRule;
import gateway.capture.ContentTypes;
import gateway.capture.JsonMask;
import gateway.capture.ParameterMask;
import gateway.config.TrafficLogDefinition.Capture;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import java.util.HashSet;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Reads `trafficLog`: `true`, `false`, or
/// `{"sample": 0.1, "mask": {"headers": ["X-Token"], "query": ["token"], "json": ["$.password"]},
/// "capture": {"request": {"headers": true, "query": true, "body": "4KiB"},
/// "response": {"headers": true, "body": "4KiB"}, "contentTypes": ["application/json"]}}`.
final class TrafficLogReader {
    private static final long MOST_BODY = 256 << 10;
    private static final int MOST_PATHS = 100;

    private TrafficLogReader() {}

    static TrafficLogDefinition read(ConfigNode node) {
        if (!node.json().map(JsonNode::isObject).orElse(false)) return read(node, true);
        var capture = node.field("capture", "what is recorded besides the standing fields");
        capture.expectObject();
        Mask mask = readMask(node.field("mask", "what is recorded as `***`"));
        var bodies = new BodyRule(
                0,
                readTypes(capture.field("contentTypes", "of bodies that are recorded, such as `text/*`")
                        .unlessGiven("text, JSON, XML and forms")),
                mask.bodies());
        var definition = new TrafficLogDefinition(
                node.field("sample", "share of requests that are recorded").share(1),
                mask,
                readCapture(capture.field("request", "of requests"), true, bodies),
                readCapture(capture.field("response", "of answers"), false, bodies));
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

    private static Mask readMask(ConfigNode node) {
        if (!node.expectObject()) return Mask.USUAL;
        var mask = new Mask(
                new HashSet<>(node.field("headers", "names; credentials are always masked")
                        .list(TrafficLogReader::readHeader)),
                new ParameterMask(new HashSet<>(
                        node.field("query", "parameters of queries and forms").list(ConfigNode::requiredText))),
                readPaths(node.field("json", "paths in JSON bodies, such as `$.items[*].secret`")));
        node.refuseUnknownFields();
        return mask;
    }

    private static JsonMask readPaths(ConfigNode node) {
        long before = node.problemCount();
        List<String> paths = node.extent(0, MOST_PATHS).list(TrafficLogReader::readPath);
        if (paths.size() > MOST_PATHS) node.problem("expected " + MOST_PATHS + " paths at most, got " + paths.size());
        return node.problemCount() > before ? JsonMask.NOTHING : JsonMask.of(paths);
    }

    private static String readPath(ConfigNode node) {
        String path = node.requiredText();
        if (!path.isEmpty()) {
            JsonMask.problem(path)
                    .ifPresent(problem -> node.problem("expected a JSON path such as \"$.card.number\"; " + problem));
        }
        return path;
    }

    private static ContentTypes readTypes(ConfigNode node) {
        if (!node.isPresent()) return ContentTypes.TEXT;
        return new ContentTypes(node.list(TrafficLogReader::readType));
    }

    private static String readType(ConfigNode node) {
        String type = node.like(ContentTypes.FORM).requiredText();
        if (!type.isEmpty() && !ContentTypes.isPattern(type)) {
            node.problem("expected a media type such as \"application/json\", \"text/*\" or \"application/*+json\","
                    + " got \"" + type + "\"");
        }
        return type;
    }

    private static String readHeader(ConfigNode node) {
        String name = node.like(HeaderText.TOKEN_FORM).requiredText();
        if (!name.isEmpty() && !HeaderText.isToken(name)) {
            node.problem("expected a header name, got \"" + name + "\"");
        }
        return name;
    }

    private static Capture readCapture(ConfigNode node, boolean isRequest, BodyRule bodies) {
        if (!node.expectObject()) return Capture.NOTHING;
        int most = (int) node.field("body", "most bytes that are recorded").size(1, MOST_BODY, 0);
        var capture = new Capture(
                node.field("headers", "whether they are recorded").bool(false),
                isRequest && node.field("query", "whether it is recorded").bool(false),
                most == 0 ? BodyRule.OFF : new BodyRule(most, bodies.types(), bodies.mask()));
        node.refuseUnknownFields();
        return capture;
    }
}
