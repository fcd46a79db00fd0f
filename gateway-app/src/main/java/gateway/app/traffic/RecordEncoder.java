package gateway.app.traffic;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gateway.capture.BodyText;
import gateway.http.Consumer;
import gateway.http.Outcome;
import gateway.service.TrafficRecord;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;

/// Writes records as lines of JSON in the Elastic Common Schema, once and for all: what is spilled, replayed and sent
/// are these bytes. Fields that are not known are left out.
///
/// Every record gets an id of its own, the run's and a number, which stays with it on every way it takes.
final class RecordEncoder {
    private static final byte[] ACTION = ascii("{\"create\":{\"_id\":\"");
    private static final byte[] ACTION_END = ascii("\"}}\n");
    private static final byte[] TIMESTAMP = ascii("{\"@timestamp\":");
    private static final byte[] EVENT_ID = ascii(",\"event\":{\"id\":\"");
    private static final byte[] DURATION = ascii("\",\"duration\":");
    private static final byte[] HTTP = ascii("},\"http\":{");
    private static final byte[] VERSION = ascii("\"version\":");
    private static final byte[] REQUEST_ID = ascii("\"request\":{\"id\":");
    private static final byte[] METHOD = ascii(",\"method\":");
    private static final byte[] BODY_BYTES = ascii(",\"body\":{\"bytes\":");
    private static final byte[] CONTENT = ascii(",\"content\":");
    private static final byte[] STATUS = ascii("},\"response\":{\"status_code\":");
    private static final byte[] URL_PATH = ascii("}}},\"url\":{\"path\":");
    private static final byte[] DOMAIN = ascii(",\"domain\":");
    private static final byte[] QUERY = ascii(",\"query\":");
    private static final byte[] CLIENT_IP = ascii("},\"client\":{\"ip\":");
    private static final byte[] USER_AGENT = ascii(",\"user_agent\":{\"original\":");
    private static final byte[] TRACE = ascii(",\"trace\":{\"id\":");
    private static final byte[] SERVICE = ascii(",\"service\":{\"name\":");
    private static final byte[] LABELS = ascii(",\"labels\":{");
    private static final byte[] USER = ascii(",\"user\":{\"id\":");
    private static final byte[] API = ascii(",\"api\":");
    private static final byte[] API_VERSION = ascii(",\"api_version\":");
    private static final byte[] KEY = ascii(",\"key\":");
    private static final byte[] TAGS = ascii(",\"tags\":[");
    private static final byte[] UPSTREAM = ascii(",\"upstream\":");
    private static final byte[] UPSTREAM_DURATION = ascii(",\"upstream_duration\":");
    private static final byte[] GATEWAY_DURATION = ascii(",\"gateway_duration\":");
    private static final byte[] GRPC_STATUS = ascii(",\"grpc_status\":");
    private static final byte[] POLICY = ascii(",\"policy\":");
    private static final byte[] REPORTED = ascii(",\"reported\":[");
    private static final byte[] REASON = ascii(",\"reason\":");
    private static final byte[] OUTCOME = ascii(",\"outcome\":");
    private static final byte[] REQUEST = ascii(",\"request\":");
    private static final byte[] RESPONSE = ascii(",\"response\":");
    private static final byte[] END = ascii("}}\n");

    private final byte[] run;
    private final byte[] gateway;
    private final boolean actions;
    private final TimestampCache timestamps = new TimestampCache();
    private final MessageLines messages = new MessageLines();
    private long sequence;

    /// @param run a text that no other run of any node has; letters, digits, `-` and `_`
    /// @param actions whether each record follows a `_bulk` action line of its own
    RecordEncoder(String run, String node, boolean actions) {
        this.run = ascii(run + "-");
        this.actions = actions;
        var head = new JsonBytes(64)
                .raw(ascii(",\"gateway\":{\"node\":"))
                .text(node)
                .raw(ascii(",\"revision\":"));
        this.gateway = java.util.Arrays.copyOf(head.array(), head.length());
    }

    void write(TrafficRecord record, JsonBytes json) {
        long number = ++sequence;
        if (actions) json.raw(ACTION).raw(run).number(number).raw(ACTION_END);
        var request = record.request();
        json.raw(TIMESTAMP);
        timestamps.write(record.startedMillis(), json);
        json.raw(EVENT_ID).raw(run).number(number);
        json.raw(DURATION).number(record.outcome().totalNanos());
        json.raw(HTTP);
        if (!request.httpVersion().isEmpty())
            json.raw(VERSION).text(request.httpVersion()).raw(',');
        json.raw(REQUEST_ID).text(request.id()).raw(METHOD).text(request.method());
        BodyText requestBody = record.detail().requestBody().told();
        BodyText responseBody = record.detail().responseBody().told();
        json.raw(BODY_BYTES).number(request.bodyBytes());
        known(CONTENT, requestBody.text(), json);
        json.raw('}').raw(STATUS).number(record.outcome().status());
        json.raw(BODY_BYTES).number(record.responseBytes());
        known(CONTENT, responseBody.text(), json);
        json.raw(URL_PATH).text(request.path()).raw(DOMAIN).text(request.host());
        known(QUERY, record.detail().query(), json);
        json.raw(CLIENT_IP);
        writeAddress(request.client(), json);
        json.raw('}');
        knownObject(USER_AGENT, request.userAgent(), json);
        knownObject(TRACE, request.traceId(), json);
        writeLabels(record.api().labels(), json);
        writeApi(record, json);
        messages.write(REQUEST, record.detail().requestHeaders(), requestBody.state(), json);
        messages.write(RESPONSE, record.detail().responseHeaders(), responseBody.state(), json);
        json.raw(END);
    }

    private void writeApi(TrafficRecord record, JsonBytes json) {
        var api = record.api();
        knownObject(SERVICE, api.id(), json);
        if (api.consumer().isPresent()) {
            knownObject(USER, api.consumer().get().id(), json);
        }
        json.raw(gateway).number(api.revision());
        known(API, api.name(), json);
        known(API_VERSION, api.version(), json);
        if (api.consumer().isPresent()) writeConsumer(api.consumer().get(), json);
        known(UPSTREAM, api.upstream(), json);
        Outcome outcome = record.outcome();
        if (outcome.upstreamNanos() > 0) json.raw(UPSTREAM_DURATION).number(outcome.upstreamNanos());
        json.raw(GATEWAY_DURATION).number(Math.max(0, outcome.totalNanos() - outcome.upstreamNanos()));
        if (outcome.grpcStatus() != Outcome.NO_GRPC) json.raw(GRPC_STATUS).number(outcome.grpcStatus());
        known(POLICY, api.policy(), json);
        known(REASON, api.reason(), json);
        writeTexts(REPORTED, api.reported(), json);
        json.raw(OUTCOME).text(outcome.ending().word());
    }

    private static void writeLabels(Map<String, String> labels, JsonBytes json) {
        if (labels.isEmpty()) return;
        json.raw(LABELS);
        boolean first = true;
        for (Map.Entry<String, String> each : labels.entrySet()) {
            if (!first) json.raw(',');
            first = false;
            json.text(each.getKey()).raw(':').text(each.getValue());
        }
        json.raw('}');
    }

    private static void writeConsumer(Consumer consumer, JsonBytes json) {
        known(KEY, consumer.name(), json);
        writeTexts(TAGS, consumer.tags(), json);
    }

    private static void writeTexts(byte[] name, List<String> texts, JsonBytes json) {
        if (texts.isEmpty()) return;
        json.raw(name);
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) json.raw(',');
            json.text(texts.get(i));
        }
        json.raw(']');
    }

    private static void writeAddress(InetAddress address, JsonBytes json) {
        if (!(address instanceof Inet4Address)) {
            String text = address.getHostAddress();
            int zone = text.indexOf('%');
            json.text(zone < 0 ? text : text.substring(0, zone));
            return;
        }
        byte[] parts = address.getAddress();
        json.raw('"').number(parts[0] & 255).raw('.').number(parts[1] & 255);
        json.raw('.').number(parts[2] & 255).raw('.').number(parts[3] & 255).raw('"');
    }

    private static void known(byte[] name, String value, JsonBytes json) {
        if (!value.isEmpty()) json.raw(name).text(value);
    }

    private static void knownObject(byte[] name, String value, JsonBytes json) {
        if (!value.isEmpty()) json.raw(name).text(value).raw('}');
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
