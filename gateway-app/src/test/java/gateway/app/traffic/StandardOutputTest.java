package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.capture.BodyCapture;
import gateway.capture.BodyMask;
import gateway.capture.BodyRoom;
import gateway.capture.BodyRule;
import gateway.capture.CapturedBody;
import gateway.capture.ContentTypes;
import gateway.json.Json;
import gateway.service.TrafficRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The traffic log on standard output, of a process of its own.
class StandardOutputTest {
    @Test
    void writes_each_record_as_a_line_with_its_body() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StandardOutputTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();

        List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();

        assertThat(process.waitFor()).isZero();
        assertThat(lines).hasSize(3);
        JsonNode record = Json.parse(lines.getLast());
        assertThat(record.at("/http/request/id").asString()).isEqualTo("request-2");
        assertThat(record.at("/http/response/body/content").asString()).isEqualTo("grüß");
        assertThat(record.at("/gateway/response/body_state").asString()).isEqualTo("truncated");
    }

    public static void main(String[] arguments) {
        var room = new BodyRoom(1000);
        var rule = new BodyRule(6, ContentTypes.TEXT, BodyMask.NOTHING);
        var settings = TrafficSettings.of("node-1", new TrafficTarget.Stdout());
        try (var shipper = TrafficShipper.start(settings, InstantSource.system())) {
            for (int i = 0; i < 3; i++) {
                var capture = BodyCapture.of(rule, "text/plain", "", room);
                byte[] body = "grüße".getBytes(StandardCharsets.UTF_8);
                capture.add(ByteBuffer.wrap(body), 0, body.length);
                var detail = new TrafficRecord.Detail(
                        "", List.of(), List.of(), CapturedBody.NONE, capture.end(body.length, true));
                shipper.record(Records.record("request-" + i, "/", "", List.of(), detail));
            }
        }
        if (room.free() != 1000) throw new IllegalStateException("room that was not given back: " + room.free());
    }
}
